import { Inject, Injectable } from '@nestjs/common';
import type { InProjectAnswer } from '@roughmix/contracts/live.js';
import type { Id, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { PersonView } from '@roughmix/contracts/users/user.view.js';
import { Refused } from '../../kernel/refusal.js';
import type { EventStore } from '../event-store/event-store.js';
import { OpenedEvents } from '../opened-events.js';
import { EVENT_STORE } from '../tokens.js';
import type { Connections, LiveServer, LiveSocket } from './connections.js';
import { LiveFeed } from './live-feed.js';
import { type Emission, type Eviction, memberRoom, PEOPLE_HERE, type Promotion, ROOM_ACCESS, type RoomAccess, userRoom, visitorRoom } from './live-message.js';
import { missedEvents } from './missed.js';

/** Views of people for who is here now. */
export type PeopleHere = (uids: readonly Uid[]) => Promise<readonly PersonView[]>;

interface Joining {
  readonly projectId: Id;
  readonly after: Position | undefined;
}

const roomOf = (projectId: Id, as: 'members' | 'visitors'): string => (as === 'members' ? memberRoom(projectId) : visitorRoom(projectId));
const projectIdOf = (room: string): Id => room.slice(room.indexOf(':') + 1);

function joiningIn(body: unknown): Joining {
  const said: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {};
  const { projectId, after } = said;
  if (typeof projectId !== 'string' || projectId === '') throw new Refused('request.invalid', { field: 'projectId' });
  if (after !== undefined && (typeof after !== 'number' || !Number.isSafeInteger(after) || after < 0)) throw new Refused('request.invalid', { field: 'after' });
  return { projectId, after };
}

/** The rooms of projects: who may be in them, what was missed, and who is there now. */
@Injectable()
export class ProjectRooms {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(ROOM_ACCESS) private readonly access: RoomAccess,
    @Inject(PEOPLE_HERE) private readonly people: PeopleHere,
    private readonly feed: LiveFeed,
    private readonly opened: OpenedEvents,
  ) {}

  projectIdIn(body: unknown): Id {
    return joiningIn(body).projectId;
  }

  /** Joins after telling what was missed; must run between two events. @throws Refused `project.not-found`, `throttled` over 20 projects */
  async join(socket: LiveSocket, body: unknown): Promise<Omit<InProjectAnswer, 'users'>> {
    const { projectId, after } = joiningIn(body);
    const { joined, caller } = socket.data;
    const as = await this.access.roomFor(projectId, caller.uid);
    if (as === null) {
      await this.leave(socket, projectId);
      throw new Refused('project.not-found');
    }
    if (!joined.has(projectId) && joined.size >= LIMITS.projectsPerSocket) throw new Refused('throttled', { limit: LIMITS.projectsPerSocket });
    const position = this.feed.position;
    const isTold = after === undefined || (await this.tellMissed(socket, { projectId, room: roomOf(projectId, as), after, until: position }));
    await socket.leave(roomOf(projectId, as === 'members' ? 'visitors' : 'members'));
    await socket.join(roomOf(projectId, as));
    joined.set(projectId, as);
    return isTold ? { position } : { position, reload: true };
  }

  async leave(socket: LiveSocket, projectId: Id): Promise<void> {
    socket.data.joined.delete(projectId);
    await socket.leave(memberRoom(projectId));
    await socket.leave(visitorRoom(projectId));
  }

  /** Sends a message to everybody in its room. */
  emit(server: Pick<LiveServer, 'to'>, { room, channel, push }: Emission): void {
    // One of four events with its own payload; the pair was made together where the step was.
    (server.to(room) as { emit(channel: string, push: unknown): boolean }).emit(channel, push);
  }

  /** Takes people out of a room, or from a visitors' room into the members'. Answers the project: who is here now has to be said anew. */
  move(connections: Connections, step: Eviction | Promotion): Id {
    const room = step.kind === 'evict' ? step.room : step.from;
    const projectId = projectIdOf(room);
    for (const socket of connections.values()) {
      const isMeant = step.uids === 'everybody' || step.uids.includes(socket.data.caller.uid);
      if (!isMeant || !socket.rooms.has(room)) continue;
      void socket.leave(room);
      if (step.kind === 'promote') {
        void socket.join(step.to);
        socket.data.joined.set(projectId, 'members');
      } else {
        socket.data.joined.delete(projectId);
      }
    }
    return projectId;
  }

  async usersIn(connections: Connections, projectId: Id): Promise<readonly PersonView[]> {
    return this.people(connections.hereIn(projectId));
  }

  /** Tells the members who is here now. */
  async announce(server: LiveServer, connections: Connections, projectId: Id): Promise<void> {
    server.to(memberRoom(projectId)).emit('currentUsers', { projectId, users: await this.usersIn(connections, projectId) });
  }

  /** False when too much was missed to be told. */
  private async tellMissed(socket: LiveSocket, missed: { projectId: Id; room: string; after: Position; until: Position }): Promise<boolean> {
    const events = await missedEvents(this.store, this.access.streamOf(missed.projectId), missed);
    if (events === null) return false;
    const rooms = new Set([missed.room, userRoom(socket.data.caller.uid)]);
    for (const { event } of await this.opened.openEach(events)) {
      // What cannot be read was told to nobody when it happened either.
      if (event === undefined) continue;
      for (const step of await this.feed.stepsOf(event)) {
        if (step.kind === 'emit' && rooms.has(step.room)) (socket as { emit(channel: string, push: unknown): boolean }).emit(step.channel, step.push);
      }
    }
    return true;
  }
}
