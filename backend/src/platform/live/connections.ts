import type { ClientMessages, ServerMessages, Topic } from '@roughmix/contracts/live.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { Server, Socket } from 'socket.io';
import type { Caller } from '../http/caller.js';
import type { MessageBudget } from './message-budget.js';
import { roomOf } from './topics.js';
import { endSocket } from './wire.js';

/** What the gateway knows of a socket. */
export interface SocketFacts {
  caller: Caller;
  token: string;
  connectedAt: number;
  /** Listed in `currentUsers` of the rooms it is in. */
  isListed: boolean;
  /** The topics it joined by a message, by the names of their rooms. */
  readonly joined: Map<string, Topic>;
  readonly budget: MessageBudget;
  /** Its messages are handled one after the other: leaving does not overtake joining. */
  turn: Promise<unknown>;
}

type NoEvents = Record<string, never>;
export type LiveServer = Server<ClientMessages, ServerMessages, NoEvents, SocketFacts>;
export type LiveSocket = Socket<ClientMessages, ServerMessages, NoEvents, SocketFacts>;

/** The key of limits per person: the uid, or the session of a guest. */
export const personOf = (caller: Caller): string => (caller.isGuest ? caller.sessionId : caller.uid);

/** The sockets of this process. */
export class Connections {
  private readonly all = new Set<LiveSocket>();

  /** Adds a socket; a person's oldest is ended when there are more than 20. */
  add(socket: LiveSocket): void {
    this.all.add(socket);
    const person = personOf(socket.data.caller);
    const mine = [...this.all]
      .filter((other) => personOf(other.data.caller) === person)
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

  /** Every user with a socket, once each. The guest account is left out: many people share it. */
  people(): readonly Uid[] {
    return [...new Set(this.values().flatMap(({ data: { caller } }) => (caller.isGuest ? [] : caller.uid)))];
  }

  /** Who is listed in a room, each person once. */
  listedIn(room: string): readonly Uid[] {
    const listed = this.values().filter((socket) => socket.data.isListed && socket.data.joined.has(room));
    return [...new Set(listed.map((socket) => socket.data.caller.uid))];
  }

  /** The same for every topic that counts, by the names of their rooms. */
  listed(counts: (topic: Topic) => boolean): Readonly<Record<string, readonly Uid[]>> {
    const rooms = new Map<string, Set<Uid>>();
    for (const { data } of this.all) {
      if (!data.isListed) continue;
      for (const topic of [...data.joined.values()].filter(counts)) {
        const room = roomOf(topic);
        rooms.set(room, (rooms.get(room) ?? new Set()).add(data.caller.uid));
      }
    }
    return Object.fromEntries([...rooms].map(([room, uids]) => [room, [...uids]]));
  }
}
