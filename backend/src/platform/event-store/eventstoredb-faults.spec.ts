import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { EventStoreDBClient } from '@eventstore/db-client';
import type { NewEvent, StoredEvent } from '../../kernel/event.js';
import { ServiceUnavailable } from '../store-errors.js';
import { WrongExpectedRevision } from './event-store.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { appendNext } from '../../testing/append-next.js';

/** The fault switches of the test double; a real server has none. */
const url = process.env['EVENTSTORE_URL'] ?? '';
const control = process.env['EVENTSTORE_CONTROL_URL'] ?? '';
/** An append's deadline plus an allowance for a busy machine. */
const DEADLINE_MS = 6_000 + 12_000;
/** Enough for anything that does not run into a deadline, even on a busy machine. */
const SOON_MS = 5_000;

(url === '' || control === '' ? describe.skip : describe)('on EVENTSTORE_URL, with the switches of EVENTSTORE_CONTROL_URL', () => {
  let store: EventStoreDbEventStore;
  let troubles: string[];
  beforeEach(async () => {
    troubles = [];
    store = await EventStoreDbEventStore.open({ url, onTrouble: (message) => troubles.push(message) });
  });
  afterEach(async () => {
    await turn('reset');
    await store.close();
  });

  answersLost(() => store);
  refused(() => store);
  following(
    () => store,
    () => troubles,
  );
  deletedByHand(() => store);
});

type Given = () => EventStoreDbEventStore;

function answersLost(given: Given): void {
  for (const then of ['timeout', 'silence', 'drop'] as const) {
    test(`appends whose answers are lost (${then}) are settled and stored once, whatever revision they expected`, async () => {
      const streams = [aStream(), aStream(), aStream()] as const;
      for (const stream of streams.slice(1)) await given().append(stream, 'none', [anEvent()]);
      await turn(`lose-acks?count=3&then=${then}`);
      const events = streams.map(() => anEvent());
      const expected = ['none', 0, 0] as const;
      const answers = await inTime(Promise.all(streams.map((stream, at) => given().append(stream, expected[at] ?? 'none', events.slice(at, at + 1)))));
      const read = await Promise.all(streams.map((stream) => given().readStream(stream)));
      expect(read.map((all) => all.length)).toEqual([1, 2, 2]);
      expect(read.map((all) => all.at(-1)?.id)).toEqual(events.map(({ id }) => id));
      expect(answers).toEqual(read.map((all) => ({ revision: all.length - 1, position: all.at(-1)?.position })));
    });
  }

  test('concurrent appends whose answers are lost are each stored once, in call order', async () => {
    const streams = Array.from({ length: 10 }, aStream);
    await turn('lose-acks?count=12&then=drop');
    const events = Array.from({ length: 100 }, () => anEvent());
    await inTime(Promise.all(events.map((event, n) => appendNext(given(), streams[n % 10] ?? '', [event]))));
    for (const [at, stream] of streams.entries()) {
      const made = events.filter((_, n) => n % 10 === at).map(({ id }) => id);
      expect((await given().readStream(stream)).map(({ id }) => id)).toEqual(made);
    }
  });

  for (const when of ['before', 'after'] as const) {
    test(`an append that the server delays (${when} it is written) beyond its timeout is stored once and not after later appends`, async () => {
      const stream = aStream();
      await turn(`delay-appends?count=1&ms=3000&when=${when}`);
      const events = Array.from({ length: 5 }, () => anEvent());
      const answers = await inTime(Promise.all(events.map((event) => appendNext(given(), stream, [event]))));
      expect(answers.map(({ revision }) => revision)).toEqual([0, 1, 2, 3, 4]);
      expect((await given().readStream(stream)).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    });
  }

  test('an append given up at its deadline may still be stored, but never twice or after later writes', async () => {
    const stream = aStream();
    const [early, later] = [anEvent(), anEvent()];
    await turn('delay-appends?count=4&ms=8000&when=before');
    await expect(inTime(appendNext(given(), stream, [early]))).rejects.toThrow(ServiceUnavailable);
    await turn('reset');
    await inTime(appendNext(given(), stream, [later]));
    await inTime(appendNext(given(), stream, [anEvent()]));
    const ids = (await given().readStream(stream)).map(({ id }) => id);
    expect(ids.slice(0, -1)).toEqual(ids.length === 3 ? [early.id, later.id] : [later.id]);
  });
}

function refused(given: Given): void {
  for (const kind of ['unavailable', 'not-ready', 'not-leader'] as const) {
    test(`while writes are refused (${kind}) appends wait and reads continue`, async () => {
      const stream = aStream();
      await given().append(stream, 'none', [anEvent()]);
      await turn(`refuse-writes?ms=60000&with=${kind}`);
      const append = given().append(stream, 0, [anEvent()]);
      expect(await inTime(given().readStream(stream))).toHaveLength(1);
      await turn('reset');
      expect((await inTime(append)).revision).toBe(1);
      expect(await inTime(given().readStream(stream))).toHaveLength(2);
    });
  }

  test('writes refused for longer than the deadline throw ServiceUnavailable and are not stored', async () => {
    const stream = aStream();
    await turn('refuse-writes?ms=60000&with=unavailable');
    await expect(inTime(given().append(stream, 'none', [anEvent()]))).rejects.toThrow(ServiceUnavailable);
    await expect(inTime(given().check())).rejects.toThrow(ServiceUnavailable);
    await turn('reset');
    await inTime(given().check());
    expect(await given().readStream(stream)).toEqual([]);
  });

  test('a user without write permission is refused at once', async () => {
    await turn('refuse-writes?ms=60000&with=access-denied');
    const began = performance.now();
    await expect(given().append(aStream(), 'none', [anEvent()])).rejects.toThrow('EventStoreDB denied access');
    expect(performance.now() - began).toBeLessThan(SOON_MS);
  });

  test('a conflict is reported as one even when the first answer was lost', async () => {
    const stream = aStream();
    await given().append(stream, 'none', [anEvent(), anEvent()]);
    await turn('delay-appends?count=1&ms=2500&when=before');
    const answer = await inTime(
      given()
        .append(stream, 0, [anEvent()])
        .catch((error: unknown) => error),
    );
    expect(answer).toBeInstanceOf(WrongExpectedRevision);
    expect(answer).toMatchObject({ actual: 1 });
  });
}

function following(given: Given, troubles: () => readonly string[]): void {
  test('cut connections fail no read or append, and a follower sees each event once and in order', async () => {
    const stream = aStream();
    const followed = follow(given(), await given().head(), 40);
    const events = Array.from({ length: 40 }, () => anEvent());
    for (const [n, event] of events.entries()) {
      if (n % 8 === 3) await turn('drop-connections');
      await inTime(appendNext(given(), stream, [event]));
      if (n % 8 === 4) await turn('drop-connections');
      await inTime(given().readAll({ after: 0, limit: 1 }));
    }
    expect((await inTime(followed)).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect(troubles().filter((message) => message.includes('subscription broke')).length).toBeGreaterThan(0);
  });

  test('a follower whose subscription stalls gets new events by polling', async () => {
    const after = await given().head();
    await turn('stall-subscriptions?ms=60000');
    const followed = follow(given(), after, 1);
    const event = anEvent();
    await given().append(aStream(), 'none', [event]);
    expect((await inTime(followed)).map(({ id }) => id)).toEqual([event.id]);
  });

  test('a follower sees all of an append larger than the subscription buffer, and no failure is reported', async () => {
    const followed = follow(given(), await given().head(), 1_001);
    const events = Array.from({ length: 1_000 }, () => anEvent());
    const stream = aStream();
    await given().append(stream, 'none', events);
    const last = anEvent();
    await given().append(stream, 999, [last]);
    expect((await inTime(followed)).map(({ id }) => id)).toEqual([...events, last].map(({ id }) => id));
    expect(troubles()).toEqual([]);
  });
}

function deletedByHand(given: Given): void {
  test('a stream deleted by hand can be continued; a tombstoned one throws Tombstoned, not ServiceUnavailable', async () => {
    const [deleted, ended] = [aStream(), aStream()];
    for (const stream of [deleted, ended]) await given().append(stream, 'none', [anEvent(), anEvent()]);
    const client = EventStoreDBClient.connectionString(url);
    await client.deleteStream(deleted);
    await client.tombstoneStream(ended);
    await client.dispose();
    expect(await given().readStream(deleted)).toEqual([]);
    expect((await inTime(given().append(deleted, 'none', [anEvent()]))).revision).toBe(2);
    expect((await inTime(appendNext(given(), deleted, [anEvent()]))).revision).toBe(3);
    await expect(appendNext(given(), ended, [anEvent()])).rejects.toMatchObject({ name: 'Tombstoned' });
    await expect(given().append(ended, 1, [anEvent()])).rejects.toMatchObject({ name: 'Tombstoned' });
    await expect(given().readStream(ended)).rejects.toMatchObject({ name: 'Tombstoned' });
  });
}

async function turn(asked: string): Promise<void> {
  const answer = await fetch(`${control}/${asked}`, { method: 'POST' });
  if (!answer.ok) throw new Error(`${asked}: ${answer.status}`);
}

/** Awaits a promise. @throws when it takes longer than any call may */
async function inTime<Value>(work: Promise<Value>): Promise<Value> {
  const began = performance.now();
  try {
    return await work;
  } finally {
    expect(performance.now() - began).toBeLessThan(DEADLINE_MS);
  }
}

/** The first `count` events after a position. */
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
