import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { EventStoreDBClient } from '@eventstore/db-client';
import type { NewEvent, StoredEvent } from '../../kernel/event.js';
import { StoreAway } from '../store-errors.js';
import { WrongExpectedRevision } from './event-store.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';

/** The switches of the protocol double: a real server has none. */
const url = process.env['EVENTSTORE_URL'] ?? '';
const control = process.env['EVENTSTORE_CONTROL_URL'] ?? '';
/** The deadline of an append, and what a busy machine takes besides. */
const DEADLINE_MS = 6_000 + 1_500;

(url === '' || control === '' ? describe.skip : describe)('on EVENTSTORE_URL, with the switches of EVENTSTORE_CONTROL_URL', () => {
  let store: EventStoreDbEventStore;
  let told: string[];
  beforeEach(async () => {
    told = [];
    store = await EventStoreDbEventStore.open({ url, onTrouble: (message) => told.push(message) });
  });
  afterEach(async () => {
    await turn('reset');
    await store.close();
  });

  for (const then of ['timeout', 'silence', 'drop'] as const) {
    test(`appends whose answers are lost (${then}) are settled: there once, whatever they expected`, async () => {
      const streams = [aStream(), aStream(), aStream()] as const;
      for (const stream of streams.slice(1)) await store.append(stream, 'none', [anEvent()]);
      await turn('lose-acks', { count: 3, then });
      const events = streams.map(() => anEvent());
      const expected = ['none', 0, 'any'] as const;
      const answers = await inTime(Promise.all(streams.map((stream, at) => store.append(stream, expected[at] ?? 'any', events.slice(at, at + 1)))));
      const read = await Promise.all(streams.map((stream) => store.readStream(stream)));
      expect(read.map((all) => all.length)).toEqual([1, 2, 2]);
      expect(read.map((all) => all.at(-1)?.id)).toEqual(events.map(({ id }) => id));
      expect(answers).toEqual(read.map((all) => ({ revision: all.length - 1, position: all.at(-1)?.position })));
    });
  }

  test('many appends at once whose answers are lost are each there once, in the order in which they were made', async () => {
    const streams = Array.from({ length: 10 }, aStream);
    await turn('lose-acks', { count: 12, then: 'drop' });
    const events = Array.from({ length: 100 }, () => anEvent());
    await inTime(Promise.all(events.map((event, n) => store.append(streams[n % 10] ?? '', 'any', [event]))));
    for (const [at, stream] of streams.entries()) {
      const made = events.filter((_, n) => n % 10 === at).map(({ id }) => id);
      expect((await store.readStream(stream)).map(({ id }) => id)).toEqual(made);
    }
  });

  for (const when of ['before', 'after'] as const) {
    test(`an append that the server delays (${when} it is written) beyond its own limit is there once, behind none that was made later`, async () => {
      const stream = aStream();
      await turn('delay-appends', { count: 1, ms: 3_000, when });
      const events = Array.from({ length: 5 }, () => anEvent());
      const answers = await inTime(Promise.all(events.map((event) => store.append(stream, 'any', [event]))));
      expect(answers.map(({ revision }) => revision)).toEqual([0, 1, 2, 3, 4]);
      expect((await store.readStream(stream)).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    });
  }

  test('an append given up after its deadline can come late, yet not behind what was written since, nor twice', async () => {
    const stream = aStream();
    const [given, later] = [anEvent(), anEvent()];
    await turn('delay-appends', { count: 4, ms: 8_000, when: 'before' });
    await expect(inTime(store.append(stream, 'any', [given]))).rejects.toThrow(StoreAway);
    await turn('reset');
    await inTime(store.append(stream, 'any', [later]));
    await inTime(store.append(stream, 'any', [anEvent()]));
    const ids = (await store.readStream(stream)).map(({ id }) => id);
    expect(ids.slice(0, -1)).toEqual(ids.length === 3 ? [given.id, later.id] : [later.id]);
  });

  for (const kind of ['unavailable', 'not-ready', 'not-leader'] as const) {
    test(`while writes are refused (${kind}) appends wait, reads go on`, async () => {
      const stream = aStream();
      await store.append(stream, 'none', [anEvent()]);
      await turn('refuse-writes', { ms: 1_500, with: kind });
      const append = store.append(stream, 0, [anEvent()]);
      expect(await inTime(store.readStream(stream))).toHaveLength(1);
      expect((await inTime(append)).revision).toBe(1);
      expect(await inTime(store.readStream(stream))).toHaveLength(2);
    });
  }

  test('refused for longer than an append may take, it is away, and what was refused is not there', async () => {
    const stream = aStream();
    await turn('refuse-writes', { ms: 60_000, with: 'unavailable' });
    await expect(inTime(store.append(stream, 'none', [anEvent()]))).rejects.toThrow(StoreAway);
    await expect(inTime(store.check())).rejects.toThrow(StoreAway);
    await turn('reset');
    await inTime(store.check());
    expect(await store.readStream(stream)).toEqual([]);
  });

  test('a user who may not write is told at once', async () => {
    await turn('refuse-writes', { ms: 60_000, with: 'access-denied' });
    const began = performance.now();
    await expect(store.append(aStream(), 'none', [anEvent()])).rejects.toThrow('EventStoreDB refuses this user');
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  test('a conflict is told as one also when the first answer was lost', async () => {
    const stream = aStream();
    await store.append(stream, 'none', [anEvent(), anEvent()]);
    await turn('delay-appends', { count: 1, ms: 2_500, when: 'before' });
    const refused = await inTime(store.append(stream, 0, [anEvent()]).catch((error: unknown) => error));
    expect(refused).toBeInstanceOf(WrongExpectedRevision);
    expect(refused).toMatchObject({ actual: 1 });
  });

  test('connections that are cut fail no read and no append, and a follower sees each event once and in order', async () => {
    const stream = aStream();
    const followed = follow(store, await store.head(), 40);
    const events = Array.from({ length: 40 }, () => anEvent());
    for (const [n, event] of events.entries()) {
      if (n % 8 === 3) await turn('drop-connections');
      await inTime(store.append(stream, 'any', [event]));
      if (n % 8 === 4) await turn('drop-connections');
      await inTime(store.readAll({ after: 0, limit: 1 }));
    }
    expect((await inTime(followed)).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect(told.filter((message) => message.includes('broken off')).length).toBeGreaterThan(0);
  });

  test('a follower whose subscription is stalled hears by asking, within a second', async () => {
    const after = await store.head();
    await turn('stall-subscriptions', { ms: 60_000 });
    const followed = follow(store, after, 1);
    const event = anEvent();
    const began = performance.now();
    await store.append(aStream(), 'none', [event]);
    expect((await inTime(followed)).map(({ id }) => id)).toEqual([event.id]);
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  test('an append of more events than a live subscription takes is followed whole, and nobody is told of trouble', async () => {
    const followed = follow(store, await store.head(), 1_001);
    const events = Array.from({ length: 1_000 }, () => anEvent());
    const stream = aStream();
    await store.append(stream, 'none', events);
    const last = anEvent();
    await store.append(stream, 999, [last]);
    expect((await inTime(followed)).map(({ id }) => id)).toEqual([...events, last].map(({ id }) => id));
    expect(told).toEqual([]);
  });

  test('a stream that somebody deleted by hand goes on; one that was tombstoned is told, and not as a store that is away', async () => {
    const [deleted, ended] = [aStream(), aStream()];
    for (const stream of [deleted, ended]) await store.append(stream, 'none', [anEvent(), anEvent()]);
    const client = EventStoreDBClient.connectionString(url);
    await client.deleteStream(deleted);
    await client.tombstoneStream(ended);
    await client.dispose();
    expect(await store.readStream(deleted)).toEqual([]);
    expect((await inTime(store.append(deleted, 'none', [anEvent()]))).revision).toBe(2);
    expect((await inTime(store.append(deleted, 'any', [anEvent()]))).revision).toBe(3);
    await expect(store.append(ended, 'any', [anEvent()])).rejects.toMatchObject({ name: 'Tombstoned' });
    await expect(store.append(ended, 1, [anEvent()])).rejects.toMatchObject({ name: 'Tombstoned' });
    await expect(store.readStream(ended)).rejects.toMatchObject({ name: 'Tombstoned' });
  });
});

async function turn(name: string, asked: Readonly<Record<string, string | number>> = {}): Promise<void> {
  const query = Object.entries(asked).map(([key, value]) => `${key}=${value}`);
  const answer = await fetch(`${control}/${name}?${query.join('&')}`, { method: 'POST' });
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
}

/** What a promise gives. @throws when it takes longer than any call may */
async function inTime<Value>(work: Promise<Value>): Promise<Value> {
  const began = performance.now();
  try {
    return await work;
  } finally {
    expect(performance.now() - began).toBeLessThan(DEADLINE_MS);
  }
}

/** Everything that comes after a position, until there is so much of it. */
async function follow(store: EventStoreDbEventStore, after: number, count: number): Promise<readonly StoredEvent[]> {
  const stop = new AbortController();
  const seen: StoredEvent[] = [];
  for await (const page of store.subscribe({ after, signal: stop.signal })) {
    seen.push(...page);
    if (seen.length >= count) stop.abort();
  }
  return seen;
}

const aStream = (): string => `faults-${randomUUID()}`;

function anEvent(): NewEvent {
  const meta = { actorUid: null, at: 1_700_000_000_000, commandId: randomUUID(), correlationId: randomUUID(), causationId: null };
  return { id: randomUUID(), type: 'FaultMet', data: {}, meta };
}
