import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InProject } from '@roughmix/contracts/live.api.js';
import type { InProjectAnswer } from '@roughmix/contracts/live.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { Refused } from '../../kernel/refusal.js';
import type { EventStore } from '../event-store/event-store.js';
import { parseBody } from '../http/body.js';
import { EVENT_STORE } from '../tokens.js';
import { Audience } from './audience.js';
import { CatchUp, type Missed, type Return } from './catch-up.js';
import type { Connections, LiveSocket } from './connections.js';
import { LiveFeed } from './live-feed.js';
import { type Eviction, memberRoom, type Promotion, type RoomKind, roomOf, visitorRoom } from './live-message.js';
import { bufferedBytes } from './wire.js';

/** What a message costs more for so many missed events. */
const EVENTS_A_MESSAGE = 50;

const projectIdOf = (room: string): Id => room.slice(room.indexOf(':') + 1);
const other = (as: RoomKind): RoomKind => (as === 'members' ? 'visitors' : 'members');

/** Names a log to those outside, without saying its identity. */
const nameOf = (store: EventStore): string => createHash('sha256').update(store.identity).digest('base64url').slice(0, 16);

/** The rooms of projects: who may be in them, and what they missed. */
@Injectable()
export class ProjectRooms {
  private readonly logName: string;

  constructor(
    @Inject(EVENT_STORE) store: EventStore,
    private readonly audience: Audience,
    private readonly catchUp: CatchUp,
    private readonly feed: LiveFeed,
  ) {
    this.logName = nameOf(store);
  }

  /**
   * Joins after telling what was missed. Whether the socket may is asked at the beginning and again, between two events, just before anything is told.
   * @throws Refused `project.not-found`, `throttled` over 20 projects, or what is wrong with the body
   */
  async join(socket: LiveSocket, body: unknown): Promise<Omit<InProjectAnswer, 'users'> & { readonly projectId: Id }> {
    const { projectId, after, log } = parseBody(InProject, body);
    const { joined, caller, budget } = socket.data;
    const as = await this.roomFor(socket, projectId);
    if (!joined.has(projectId) && joined.size >= LIMITS.projectsPerSocket) throw new Refused('throttled', { limit: LIMITS.projectsPerSocket });
    const isOfThisLog = log === undefined || log === this.logName;
    const back: Return | null = after === undefined ? null : { projectId, uid: caller.uid, as, after };
    const missed = back === null || !isOfThisLog ? null : await this.catchUp.begin(back);
    budget.charge((missed?.events ?? 0) / EVENTS_A_MESSAGE);
    return this.feed.between(async () => {
      const isTold = back === null ? isOfThisLog : await this.enterTold(socket, back, missed);
      if (back === null || !isTold) await this.enter(socket, projectId, await this.roomFor(socket, projectId));
      return { projectId, position: this.feed.position, log: this.logName, ...(isTold ? {} : { reload: true }) };
    });
  }

  async leave(socket: LiveSocket, projectId: Id): Promise<void> {
    socket.data.joined.delete(projectId);
    await socket.leave(memberRoom(projectId));
    await socket.leave(visitorRoom(projectId));
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

  /** Tells what was missed and joins, unless it cannot be told or is not for this socket any more: then nothing happened. */
  private async enterTold(socket: LiveSocket, back: Return, begun: Missed | null): Promise<boolean> {
    const missed = begun === null ? null : await this.catchUp.goOn(back, begun);
    const isHeld = missed !== null && (await this.feed.holdsViewsOf(missed.emissions));
    const as = await this.roomFor(socket, back.projectId);
    if (missed === null || !isHeld || as !== back.as || bufferedBytes(socket) + missed.bytes > 2 * LIMITS.catchUpBytes) return false;
    for (const { channel, push } of missed.emissions) (socket as { emit(channel: string, push: unknown): boolean }).emit(channel, push);
    await this.enter(socket, back.projectId, as);
    return true;
  }

  private async enter(socket: LiveSocket, projectId: Id, as: RoomKind): Promise<void> {
    // A room would keep a socket that has gone in the meantime.
    if (!socket.connected) return;
    await socket.leave(roomOf(projectId, other(as)));
    await socket.join(roomOf(projectId, as));
    socket.data.joined.set(projectId, as);
  }

  /** @throws Refused `project.not-found`, after taking the socket out */
  private async roomFor(socket: LiveSocket, projectId: Id): Promise<RoomKind> {
    const as = (await this.audience.of(projectId)).roomFor(socket.data.caller.uid);
    if (as !== null) return as;
    await this.leave(socket, projectId);
    throw new Refused('project.not-found');
  }
}
