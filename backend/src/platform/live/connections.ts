import type { ClientMessages, ServerMessages } from '@roughmix/contracts/live.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { Server, Socket } from 'socket.io';
import type { Caller } from '../http/caller.js';
import type { RoomKind } from './live-message.js';
import type { MessageBudget } from './message-budget.js';
import { endSocket } from './wire.js';

/** What the gateway knows of a socket. */
export interface SocketFacts {
  caller: Caller;
  token: string;
  connectedAt: number;
  /** Listed in `currentUsers` of the rooms it is in. */
  isListed: boolean;
  readonly joined: Map<Id, RoomKind>;
  readonly budget: MessageBudget;
  /** Its messages are answered one after the other: leaving does not overtake joining. */
  turn: Promise<unknown>;
}

type NoEvents = Record<string, never>;
export type LiveServer = Server<ClientMessages, ServerMessages, NoEvents, SocketFacts>;
export type LiveSocket = Socket<ClientMessages, ServerMessages, NoEvents, SocketFacts>;

/** The sockets of this process, by whom they count for. */
export class Connections {
  private readonly all = new Set<LiveSocket>();

  /** Counts a socket in; somebody's oldest goes when there are more than 20. The guest counts by session. */
  add(socket: LiveSocket): void {
    this.all.add(socket);
    const mine = [...this.all]
      .filter((other) => countsFor(other) === countsFor(socket))
      .toSorted((one, other) => one.data.connectedAt - other.data.connectedAt);
    for (const oldest of mine.slice(0, Math.max(0, mine.length - LIMITS.socketsPerPerson))) endSocket(oldest);
  }

  remove(socket: LiveSocket): void {
    this.all.delete(socket);
  }

  values(): readonly LiveSocket[] {
    return [...this.all];
  }

  ofSession(sessionId: string): readonly LiveSocket[] {
    return this.values().filter((socket) => socket.data.caller.sessionId === sessionId);
  }

  /** The members who are looking at a project and said so, each once. */
  hereIn(projectId: Id): readonly Uid[] {
    const here = this.values().filter((socket) => socket.data.isListed && socket.data.joined.get(projectId) === 'members');
    return [...new Set(here.map((socket) => socket.data.caller.uid))];
  }

  /** The same of every project that somebody is looking at. */
  here(): Readonly<Record<Id, readonly Uid[]>> {
    const here = new Map<Id, Set<Uid>>();
    for (const { data } of this.all) {
      if (!data.isListed) continue;
      for (const [projectId, as] of data.joined) if (as === 'members') here.set(projectId, (here.get(projectId) ?? new Set()).add(data.caller.uid));
    }
    return Object.fromEntries([...here].map(([projectId, uids]) => [projectId, [...uids]]));
  }
}

const countsFor = ({ data: { caller } }: LiveSocket): string => (caller.isGuest ? caller.sessionId : caller.uid);
