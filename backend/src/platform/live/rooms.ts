import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type ComingBack, Login } from '@roughmix/contracts/live.api.js';
import { type JoinedAnswer, type Topic, userTopic } from '@roughmix/contracts/live.js';
import type { Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { Refused } from '../../kernel/refusal.js';
import type { EventStore } from '../event-store/event-store.js';
import { parseBody } from '../http/body.js';
import { EVENT_STORE } from '../tokens.js';
import { type AccessSnapshot, AccessSnapshots } from './access-snapshot.js';
import { CatchUp, Missed, type Return } from './catch-up.js';
import { type Connections, type LiveSocket, personOf } from './connections.js';
import { LiveFeed, type Prepared } from './live-feed.js';
import type { Eviction, Promotion } from './live-message.js';
import { LiveReads } from './live-reads.js';
import { PersonalTurns } from '../personal-turns.js';
import { newestShown } from './push-builder.js';
import { type JoinMessage, roomOf, Topics } from './topics.js';
import { bufferedBytes, mustBeOpen } from './wire.js';

/** So many missed events, or bytes, cost as much as a message. */
const EVENTS_A_MESSAGE = 10;
const BYTES_A_MESSAGE = 64 * 1024;
/** A catch-up that takes longer, with the wait for its turn, has to reload: pages give up after 10 s. */
const CATCH_UP_MS = 5_000;

/** Names a log to clients without showing its identity. */
const nameOf = (store: EventStore): string => createHash('sha256').update(store.identity).digest('base64url').slice(0, 16);

/** How a socket enters a room. */
interface Entrance {
  /** The topic that it may enter now. @throws Refused when there is none */
  topic(): Promise<Topic>;
  enter(topic: Topic): Promise<void>;
}

/** The rooms of topics: who may be in them, and what they missed. */
@Injectable()
export class Rooms {
  private readonly logName: string;
  private readonly turns = new PersonalTurns();

  constructor(
    @Inject(EVENT_STORE) store: EventStore,
    private readonly topics: Topics,
    private readonly snapshots: AccessSnapshots,
    private readonly catchUp: CatchUp,
    private readonly feed: LiveFeed,
    private readonly reads: LiveReads,
  ) {
    this.logName = nameOf(store);
  }

  /**
   * Joins a topic by a message, after sending what was missed. Access is checked first, and again just before anything is sent.
   * @throws Refused `message.unknown`, the message's own problem without access, `throttled` over its limit, or for an invalid body
   */
  async join(socket: LiveSocket, name: string, body: unknown): Promise<JoinedAnswer & { readonly topic: Topic }> {
    const message = this.topics.joinMessage(name);
    const { id, ...from } = message.readJoin(body);
    const candidates = message.kinds.map((kind) => ({ kind, id }));
    const topic = (): Promise<Topic> => this.admitted(socket, message, candidates);
    const first = await topic();
    const { joined } = socket.data;
    const isIn = candidates.some((each) => joined.has(roomOf(each)));
    const count = [...joined.values()].filter(({ kind }) => message.kinds.includes(kind)).length;
    if (!isIn && count >= message.limit) throw new Refused('throttled', { limit: message.limit });
    const enter = (entered: Topic): Promise<void> => enterOneOf(socket, candidates, entered);
    const answer = await this.comeIn(socket, { topic: first, from }, { topic, enter });
    await this.topics.kindOf(answer.topic).joined?.(id, socket.data.caller.uid);
    return answer;
  }

  /** Catches up the caller's own room, which the socket joined when it connected. @throws Refused for an invalid body */
  async login(socket: LiveSocket, body: unknown): Promise<JoinedAnswer> {
    const from = parseBody(Login, body);
    const { caller } = socket.data;
    const own = userTopic(caller.uid);
    const enter = async (): Promise<void> => {
      if (socket.connected && !caller.isGuest) await socket.join(roomOf(own));
    };
    if (from.after === undefined) {
      const isOfThisLog = from.log === undefined || from.log === this.logName;
      return { position: this.feed.positionOf(own.kind), log: this.logName, ...(isOfThisLog ? {} : { reload: true as const }) };
    }
    // What happens during the catch-up is read from the log, so that it is not sent twice.
    await socket.leave(roomOf(own));
    try {
      const { topic: _topic, ...answer } = await this.comeIn(socket, { topic: own, from }, { topic: () => Promise.resolve(own), enter });
      return answer;
    } finally {
      await enter();
    }
  }

  /** Leaves what a message names. @returns the topics that the socket was in. @throws Refused `message.unknown`, or for an invalid body */
  async leave(socket: LiveSocket, name: string, body: unknown): Promise<readonly Topic[]> {
    const message = this.topics.joinMessage(name);
    const id = message.readLeave(body);
    const topics = message.kinds.map((kind) => ({ kind, id }));
    const left = topics.filter((topic) => socket.data.joined.has(roomOf(topic)));
    for (const topic of topics) await takeOut(socket, topic);
    return left;
  }

  /** Takes people out of a room, or from one room into another. @returns the topics whose presence changed */
  move(connections: Connections, step: Eviction | Promotion): readonly Topic[] {
    const topic = step.kind === 'evict' ? step.topic : step.from;
    for (const socket of connections.values()) {
      const isMeant = step.uids === 'everybody' || step.uids.includes(socket.data.caller.uid);
      if (!isMeant || !socket.rooms.has(roomOf(topic))) continue;
      void takeOut(socket, topic);
      if (step.kind === 'promote') void putIn(socket, step.to);
    }
    return [topic, ...(step.kind === 'promote' ? [step.to] : [])].filter((each) => this.topics.hasPresence(each));
  }

  private async comeIn(
    socket: LiveSocket,
    { topic, from }: { readonly topic: Topic; readonly from: ComingBack },
    entrance: Entrance,
  ): Promise<JoinedAnswer & { readonly topic: Topic }> {
    const isOfThisLog = from.log === undefined || from.log === this.logName;
    const { after } = from;
    const { uid } = socket.data.caller;
    const deadline = performance.now() + CATCH_UP_MS;
    const work = async (): Promise<JoinedAnswer & { readonly topic: Topic }> => {
      // The browser gave up while it waited for its turn, and has come back on another socket.
      mustBeOpen(socket);
      const delivered = this.feed.newestOf(topic.kind);
      const newest = await this.reads.asOf(delivered, () => this.newestIn(topic, uid));
      // A command was just answered, and its pushes are on their way: the ack names them.
      await this.feed.comesTo(newest ?? 0);
      const missing = after === undefined || !isOfThisLog ? null : sinceNotice(after, newest, delivered);
      const replayed = missing === null ? null : await this.replayAndEnter(socket, { topic, after: missing, deadline }, entrance);
      if (replayed !== null) return { ...replayed, log: this.logName };
      const entered = await this.enterOnly(topic.kind, uid, entrance);
      return { ...entered, log: this.logName, ...(after === undefined && isOfThisLog ? {} : { reload: true as const }) };
    };
    return after === undefined ? work() : this.turns.run(personOf(socket.data.caller), work);
  }

  /** Sends what was missed and enters; null when the client has to reload, and then nothing was sent. */
  private async replayAndEnter(socket: LiveSocket, back: Omit<Return, 'caller'>, entrance: Entrance): Promise<Entered | null> {
    const missed = new Missed({ ...back, caller: socket.data.caller });
    try {
      return await this.feed.afterPreparing(back.topic.kind, async (isPaused): Promise<Prepared<Entered | null>> => {
        mustBeOpen(socket);
        const state = await (isPaused ? this.catchUp.finish(missed) : this.catchUp.run(missed));
        const replay = state === 'done' ? await this.replayOf(socket, missed, entrance) : null;
        if (replay === null) return { answer: null };
        const finish = (): Promise<Entered> => {
          this.send(socket, replay);
          return this.enter(back.topic, entrance, replay.newest);
        };
        return { finish };
      });
    } finally {
      socket.data.budget.charge(missed.events / EVENTS_A_MESSAGE + missed.bytes / BYTES_A_MESSAGE);
    }
  }

  /** What was missed, with the access that decides what of it is sent; null when the client has to reload. */
  private async replayOf(socket: LiveSocket, missed: Missed, entrance: Entrance): Promise<Replay | null> {
    const { topic } = missed.back;
    if (bufferedBytes(socket) + missed.bytes > 2 * LIMITS.catchUpBytes) return null;
    const emissions = missed.inOrder();
    const newest = Math.max(this.feed.newestOf(topic.kind), newestShown(emissions));
    const { now, snapshot } = await this.reads.asOf(newest, async () => ({
      now: await entrance.topic(),
      snapshot: await this.snapshots.for(emissions, ...missed.evictedFrom),
    }));
    const { uid } = socket.data.caller;
    // Lost and regained: what happened in between is fetched as it is now, not replayed.
    const isBack = topic.kind === 'user' && missed.evictedFrom.some((each) => snapshot.mayHear(each, uid));
    return isBack || roomOf(now) !== roomOf(topic) ? null : { emissions, snapshot, newest: await this.newestIn(now, uid) };
  }

  private send(socket: LiveSocket, { emissions, snapshot }: Replay): void {
    const { uid } = socket.data.caller;
    for (const emission of emissions) {
      if (!emission.topics.some((topic) => snapshot.mayGet(emission, topic, uid))) continue;
      for (const push of emission.pushes) (socket as { emit(channel: string, push: unknown): boolean }).emit(emission.channel, push);
    }
  }

  private enterOnly(kind: string, uid: Uid, entrance: Entrance): Promise<Entered> {
    return this.feed.afterPreparing(kind, async () => {
      const topic = await this.reads.asOf(this.feed.newestOf(kind), () => entrance.topic());
      const newest = await this.newestIn(topic, uid);
      return { finish: () => this.enter(topic, entrance, newest) };
    });
  }

  /** @param newest the position of the room's newest change, null where the kind of room does not know it */
  private async enter(topic: Topic, entrance: Entrance, newest: Position | null): Promise<Entered> {
    await entrance.enter(topic);
    const delivered = this.feed.positionOf(topic.kind);
    return { topic, position: Math.min(newest ?? delivered, delivered) };
  }
  private newestIn(topic: Topic, uid: Uid): Promise<Position | null> {
    return this.topics.kindOf(topic).newest?.(topic.id, uid) ?? Promise.resolve(null);
  }

  /** The first of some topics that admits the caller. @throws Refused when none does, after taking the socket out of all */
  private async admitted(socket: LiveSocket, message: JoinMessage, candidates: readonly Topic[]): Promise<Topic> {
    for (const topic of candidates) {
      if ((await this.topics.kindOf(topic).access(topic.id))(socket.data.caller.uid)) return topic;
    }
    for (const topic of candidates) await takeOut(socket, topic);
    throw new Refused(message.notFound);
  }
}

/** From where to catch up. Events that are never pushed, such as plays, need not be read, however many there are. */
const sinceNotice = (after: Position, newest: Position | null, delivered: Position): Position =>
  newest !== null && newest <= after ? Math.max(after, delivered) : after;

/** Missed emissions, and who may get them. */
interface Replay {
  readonly emissions: ReturnType<Missed['inOrder']>;
  readonly snapshot: AccessSnapshot;
  /** The position of the room's newest change. */
  readonly newest: Position | null;
}

interface Entered {
  readonly topic: Topic;
  readonly position: Position;
}

async function putIn(socket: LiveSocket, topic: Topic): Promise<void> {
  // A room would keep a socket that disconnected in the meantime.
  if (!socket.connected) return;
  socket.data.joined.set(roomOf(topic), topic);
  await socket.join(roomOf(topic));
}

async function takeOut(socket: LiveSocket, topic: Topic): Promise<void> {
  socket.data.joined.delete(roomOf(topic));
  await socket.leave(roomOf(topic));
}

async function enterOneOf(socket: LiveSocket, candidates: readonly Topic[], entered: Topic): Promise<void> {
  for (const other of candidates) if (roomOf(other) !== roomOf(entered)) await takeOut(socket, other);
  await putIn(socket, entered);
}
