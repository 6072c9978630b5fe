import { Inject, Injectable } from '@nestjs/common';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { LiveServer } from './connections.js';
import { type Emission, memberRoom, personOf, type RoomAccess, ROOM_ACCESS, type RoomKind } from './live-message.js';

/** What only names the project itself: whoever was in the room has to learn that it is gone for them. */
const tellsOfLoss = ({ channel, push }: Emission): boolean => channel === 'projects' && push.view === undefined;

/** Who may hear of a project at one moment. To be made after what is to be said was read, and used before anything else is awaited. */
export class Standing {
  private readonly known = new Map<Uid, RoomKind | null>();

  constructor(
    private readonly projectId: Id,
    private readonly find: (uid: Uid) => RoomKind | null,
  ) {}

  /** The room that somebody may be in, null when the project is not there for them. */
  roomFor(uid: Uid): RoomKind | null {
    const known = this.known.get(uid);
    if (known !== undefined) return known;
    const found = this.find(uid);
    this.known.set(uid, found);
    return found;
  }

  /** Ids of the sockets in a room that may no longer hear what is said there: how they lost it is still to be handed on. */
  lostIn(server: LiveServer, room: string): string[] {
    const { adapter, sockets } = server.sockets;
    return [...(adapter.rooms.get(room) ?? [])].filter((id) => {
      const socket = sockets.get(id);
      return socket === undefined || !this.mayHear(socket.data.caller.uid, room);
    });
  }

  /** Sends a message to everybody in its room who may hear it. */
  send(server: LiveServer, emission: Emission): void {
    const { room, channel, push } = emission;
    const person = personOf(room);
    const isFree = tellsOfLoss(emission);
    if (person !== null && !isFree && this.roomFor(person) === null) return;
    const spared = person !== null || isFree ? [] : this.lostIn(server, room);
    // One of four events with its own payload; the pair was made together where the step was.
    (server.to(room).except(spared) as { emit(channel: string, push: unknown): boolean }).emit(channel, push);
  }

  private mayHear(uid: Uid, room: string): boolean {
    const as = this.roomFor(uid);
    return as === 'members' || (as === 'visitors' && room !== memberRoom(this.projectId));
  }
}

/**
 * Who may hear of a project now. Messages show things as they stand when sent, which may be later than the event they are about: somebody who has lost
 * the project in the meantime must not hear them, although the event by which they lost it is still to come.
 */
@Injectable()
export class Audience {
  constructor(@Inject(ROOM_ACCESS) private readonly access: RoomAccess) {}

  async of(projectId: Id): Promise<Standing> {
    return new Standing(projectId, await this.access.roomsOf(projectId));
  }
}
