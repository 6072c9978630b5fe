import { setTimeout as pause } from 'node:timers/promises';
import {
  type AllStreamResolvedEvent,
  ANY,
  BACKWARDS,
  END,
  EventStoreDBClient,
  FORWARDS,
  jsonEvent,
  type JSONEventType,
  NO_STREAM,
  START,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { EventMeta, NewEvent, StoredEvent } from '../../kernel/event.js';
import { within } from '../health/deadline.js';
import { keepGoing } from '../keep-going.js';
import { StoreAway } from '../store-errors.js';
import { checkAppend } from './check-append.js';
import { type Appended, type EventStore, type ExpectedRevision, WrongExpectedRevision } from './event-store.js';
import { name, NAMING_STREAM, type Naming, namingOf } from './eventstoredb-naming.js';
import { Wakeups } from './subscription.js';

const CALL_MS = 3_000;
const TRY_MS = 2_500;
const APPEND_MS = 6_000;
const POLL_MS = 500;
const DISPOSE_MS = 500;
const PAGE = 500;

interface Recorded {
  readonly id: string;
  readonly type: string;
  readonly streamId: string;
  readonly revision: bigint;
  readonly data: unknown;
  readonly metadata: unknown;
}

/** The log in EventStoreDB. */
export class EventStoreDbEventStore implements EventStore {
  private readonly wakeups = new Wakeups();
  private readonly closing = new AbortController();
  private readonly open = new Set<Promise<unknown>>();
  private readonly watching: Promise<void>;

  private constructor(
    private readonly client: EventStoreDBClient,
    private readonly naming: Naming,
    onTrouble: (message: string) => void,
  ) {
    let isTold = false;
    this.watching = keepGoing(() => this.watch(() => (isTold = false)), {
      signal: this.closing.signal,
      onFailure: () => {
        if (!isTold) onTrouble('EventStoreDB: following the log was broken off, trying again');
        isTold = true;
      },
    });
  }

  static async open({ url, onTrouble }: { readonly url: string; readonly onTrouble: (message: string) => void }): Promise<EventStoreDbEventStore> {
    const client = EventStoreDBClient.connectionString(url);
    try {
      return new EventStoreDbEventStore(client, await namingOf(client), onTrouble);
    } catch (error) {
      await client.dispose();
      throw asAway(error);
    }
  }

  get identity(): string {
    return this.naming.identity;
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> {
    checkAppend(stream, expected, events);
    if (this.closing.signal.aborted) throw new StoreAway('the log is closed');
    const work = this.settle(stream, expected, events);
    this.open.add(work);
    const forget = (): void => void this.open.delete(work);
    work.then(forget, forget);
    return work;
  }

  private async settle(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> {
    const until = performance.now() + APPEND_MS;
    for (let tries = 0; ; tries += 1) {
      try {
        return await this.tryAppend(stream, expected, events);
      } catch (error) {
        if (error instanceof WrongExpectedVersionError) {
          const own = tries > 0 || expected !== 'any' ? await this.found(stream, expected, events) : null;
          if (own !== null) return own;
          throw new WrongExpectedRevision(stream, expected, await this.last(stream));
        }
        if (performance.now() > until) throw asAway(error);
        await pause(50 * (tries + 1));
        if (expected === 'any') {
          const own = await this.found(stream, expected, events).catch(() => null);
          if (own !== null) return own;
        }
      }
    }
  }

  private async tryAppend(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> {
    const expectedRevision = expected === 'none' ? NO_STREAM : expected === 'any' ? ANY : BigInt(expected);
    const made = events.map(({ id, type, data, meta }) =>
      jsonEvent({ id, type, data: data as JSONEventType['data'], metadata: JSON.parse(JSON.stringify(meta)) as Record<string, unknown> }),
    );
    const { position, nextExpectedRevision } = await within(TRY_MS, this.client.appendToStream(stream, made, { expectedRevision }));
    if (position === undefined) throw new StoreAway('EventStoreDB told no position');
    return { revision: Number(nextExpectedRevision), position: Number(position.commit) };
  }

  private async found(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended | null> {
    const from = expected === 'none' ? 0 : expected === 'any' ? Math.max(0, (await this.last(stream)) - 200) : expected + 1;
    const page = await this.readStream(stream, { from, limit: 500 });
    const first = page.findIndex(({ id }) => id === events[0]?.id);
    if (first < 0) return null;
    const mine = page.slice(first, first + events.length);
    const last = mine.at(-1);
    return last !== undefined && mine.every(({ id }, at) => id === events[at]?.id) ? { revision: last.revision, position: last.position } : null;
  }

  private async last(stream: string): Promise<number> {
    const [newest] = await this.stream(stream, { direction: BACKWARDS, fromRevision: END, maxCount: 1 });
    return newest === undefined ? -1 : newest.revision;
  }

  async readStream(stream: string, { from = 0, limit = PAGE }: { readonly from?: number; readonly limit?: number } = {}): Promise<readonly StoredEvent[]> {
    return this.stream(stream, { direction: FORWARDS, fromRevision: BigInt(from), maxCount: limit });
  }

  private async stream(stream: string, options: Parameters<EventStoreDBClient['readStream']>[1]): Promise<readonly StoredEvent[]> {
    return this.call(async () => {
      const events: StoredEvent[] = [];
      try {
        for await (const { event } of this.client.readStream(stream, options)) {
          if (event !== undefined) events.push(storedOf(event, (event as { position?: { commit: bigint } }).position?.commit ?? 0n));
        }
      } catch (error) {
        if (error instanceof Error && 'type' in error && error.type === 'stream-not-found') return [];
        throw error;
      }
      return events;
    });
  }

  async readAll({ after, limit = PAGE }: { readonly after: Position; readonly limit?: number }): Promise<readonly StoredEvent[]> {
    const events: StoredEvent[] = [];
    for (let from = after; events.length < limit;) {
      const asked = limit - events.length + 32;
      const raw = await this.raw(FORWARDS, from === 0 ? START : from, asked);
      for (const each of raw) {
        const event = ours(each);
        if (event !== null && event.position > after && events.length < limit) events.push(event);
      }
      const last = raw.at(-1);
      if (last?.event === undefined || raw.length < asked) break;
      from = Number(last.event.position.commit);
    }
    return events;
  }

  async head(): Promise<Position> {
    for (let from: Position | typeof END = END; ;) {
      const raw: readonly AllStreamResolvedEvent[] = await this.raw(BACKWARDS, from, 64);
      for (const each of raw) {
        const event = ours(each);
        if (event !== null) return event.position;
      }
      const last = raw.at(-1);
      if (last?.event === undefined || raw.length < 64) return 0;
      from = Number(last.event.position.commit);
    }
  }

  async *subscribe({ after, signal, limit = 200 }: { readonly after: Position; readonly signal: AbortSignal; readonly limit?: number }): AsyncIterable<readonly StoredEvent[]> {
    let reached = after;
    while (!signal.aborted) {
      const ended = new AbortController();
      const both = AbortSignal.any([signal, ended.signal]);
      const woken = this.wakeups.next(both);
      const page = await this.readAll({ after: reached, limit });
      const last = page.at(-1);
      if (last === undefined) await Promise.race([woken, pause(POLL_MS, undefined, { signal: both }).catch(() => undefined)]);
      ended.abort();
      if (last === undefined) continue;
      if (signal.aborted) return;
      yield page;
      reached = last.position;
    }
  }

  async check(): Promise<void> {
    await this.call(() => name(this.client, this.naming));
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.wakeups.wake();
    await Promise.allSettled(this.open);
    await this.watching;
    // The client waits for the end of a subscription that was ended before, which never comes.
    await within(DISPOSE_MS, this.client.dispose()).catch(() => undefined);
  }

  private async watch(onEvent: () => void): Promise<void> {
    const subscription = this.client.subscribeToAll({ fromPosition: END });
    await new Promise<void>((resolve, reject) => {
      const ended = (): void => reject(new StoreAway('the subscription ended'));
      subscription.on('data', () => {
        onEvent();
        this.wakeups.wake();
      });
      subscription.on('error', reject);
      subscription.on('end', ended);
      subscription.on('close', ended);
      if (this.closing.signal.aborted) resolve();
      else this.closing.signal.addEventListener('abort', () => resolve(), { once: true });
    }).finally(() => {
      subscription.on('error', () => undefined);
      subscription.destroy();
    });
  }

  private async raw(direction: typeof FORWARDS | typeof BACKWARDS, from: Position | typeof START | typeof END, maxCount: number): Promise<readonly AllStreamResolvedEvent[]> {
    return this.call(async () => {
      const fromPosition = typeof from === 'number' ? { commit: BigInt(from), prepare: BigInt(from) } : from;
      const events: AllStreamResolvedEvent[] = [];
      for await (const each of this.client.readAll({ direction, fromPosition, maxCount })) events.push(each);
      return events;
    });
  }

  private async call<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (this.closing.signal.aborted) throw new StoreAway('the log is closed');
    try {
      return await within(CALL_MS, work());
    } catch (error) {
      throw asAway(error);
    }
  }
}

const storedOf = (event: Recorded, commit: bigint): StoredEvent => ({
  id: event.id,
  type: event.type,
  data: event.data,
  meta: event.metadata as EventMeta,
  stream: event.streamId,
  revision: Number(event.revision),
  position: Number(commit),
});

const ours = ({ event }: AllStreamResolvedEvent): StoredEvent | null =>
  event === undefined || event.type.startsWith('$') || event.streamId.startsWith('$') || event.streamId === NAMING_STREAM
    ? null
    : storedOf(event as Recorded, event.position.commit);

const asAway = (error: unknown): StoreAway =>
  error instanceof StoreAway ? error : new StoreAway(`EventStoreDB is away: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
