import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { NewEvent, StoredEvent } from '../../kernel/event.js';
import { StoreAway } from '../store-errors.js';
import { APPEND_LIMIT_BYTES, AppendTooLarge, type EventStore, WrongExpectedRevision } from './event-store.js';

/** A store that holds nothing yet. `reopen` closes it and opens the same log again; `dispose` closes and removes what was made. */
export interface OpenedForContract {
  readonly store: EventStore;
  reopen(): Promise<EventStore>;
  dispose(): Promise<void>;
}

/** Everything that the port promises, asked of one adapter. Streams have names of their own, so a shared server may be used. */
export function eventStoreContract(name: string, open: () => Promise<OpenedForContract>): void {
  describe(`event store contract: ${name}`, () => {
    let opened: OpenedForContract;
    let store: EventStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.dispose());
    appending(() => store);
    repeating(() => store);
    refusing(() => store);
    reading(() => store);
    following(() => store);
    lasting(
      () => store,
      () => opened.reopen(),
    );
  });
}

type Given = () => EventStore;

function appending(given: Given): void {
  test('events come back as they were given, with their stream, revision and position', async () => {
    const stream = aStream();
    const [first, second] = [anEvent({ text: 'é 🎸 \u0000 "quoted"', list: [1, null, { deep: true }], tiny: 1e-7 }), anEvent({})];
    const appended = await given().append(stream, 'none', [first, second]);
    const read = await given().readStream(stream);
    expect(read).toEqual([
      { ...first, stream, revision: 0, position: read[0]?.position },
      { ...second, stream, revision: 1, position: appended.position },
    ]);
    expect(appended.revision).toBe(1);
    expect(read[0]?.position).toBeLessThan(appended.position);
    expect(await given().head()).toBe(appended.position);
  });

  test('a stream goes on at the revision that its writer expected', async () => {
    const stream = aStream();
    expect((await given().append(stream, 'none', [anEvent()])).revision).toBe(0);
    expect((await given().append(stream, 0, [anEvent(), anEvent()])).revision).toBe(2);
    expect((await given().append(stream, 'any', [anEvent()])).revision).toBe(3);
    expect((await given().append(aStream(), 'any', [anEvent()])).revision).toBe(0);
  });

  test('a wrong expectation writes nothing and says where the stream is', async () => {
    const [stream, missing] = [aStream(), aStream()];
    await given().append(stream, 'none', [anEvent(), anEvent()]);
    const before = await given().head();
    for (const [name, expected, actual] of [
      [stream, 'none', 1],
      [stream, 0, 1],
      [stream, 7, 1],
      [missing, 0, -1],
    ] as const) {
      const refused = await given()
        .append(name, expected, [anEvent(), anEvent(), anEvent()])
        .catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(WrongExpectedRevision);
      expect(refused).toMatchObject({ stream: name, expected, actual });
    }
    expect(await given().head()).toBe(before);
    expect(await given().readStream(missing)).toEqual([]);
  });

  test('appends of one writer stand in the log in the order in which they were made', async () => {
    const stream = aStream();
    const events = Array.from({ length: 50 }, (_, n) => anEvent({ n }));
    const after = await given().head();
    await Promise.all(events.map((event) => given().append(stream, 'any', [event])));
    const all = (await given().readAll({ after })).filter((event) => event.stream === stream);
    expect(all.map((event) => event.id)).toEqual(events.map((event) => event.id));
  });

  test('64 writers on 8 streams leave dense revisions, rising positions and every event once', async () => {
    const streams = Array.from({ length: 8 }, aStream);
    const after = await given().head();
    const write = async (writer: number): Promise<string[]> => {
      const ids: string[] = [];
      for (let n = 0; n < 5; n++) {
        const events = [anEvent({ writer, n }), anEvent({ writer, n })];
        await given().append(streams[writer % 8] ?? '', 'any', events);
        ids.push(...events.map((event) => event.id));
      }
      return ids;
    };
    const ids = (await Promise.all(Array.from({ length: 64 }, (_, writer) => write(writer)))).flat();
    const all = (await everything(given(), after)).filter((event) => streams.includes(event.stream));
    expect(all.map((event) => event.id).toSorted()).toEqual(ids.toSorted());
    expect(all.map((event) => event.position)).toEqual(all.map((event) => event.position).toSorted((a, b) => a - b));
    for (const stream of streams) {
      const revisions = all.filter((event) => event.stream === stream).map((event) => event.revision);
      expect(revisions).toEqual(Array.from({ length: 80 }, (_, revision) => revision));
    }
  });

  test('3,000 appends at once, more than any group holds, are each there once and in order', async () => {
    const stream = aStream();
    const after = await given().head();
    const events = Array.from({ length: 3_000 }, (_, n) => anEvent({ n }));
    const answers = await Promise.all(events.map((event) => given().append(stream, 'any', [event])));
    expect(answers.map((answer) => answer.revision)).toEqual(events.map((_, n) => n));
    const all = (await everything(given(), after)).filter((event) => event.stream === stream);
    expect(all.map((event) => event.id)).toEqual(events.map((event) => event.id));
  });

  test('80 appends at once of 200 kB each, more than any group holds, are each there', async () => {
    const streams = Array.from({ length: 80 }, aStream);
    const text = 'x'.repeat(200_000);
    await Promise.all(streams.map((stream) => given().append(stream, 'none', [anEvent({ text })])));
    for (const stream of streams) expect((await given().readStream(stream)).map((event) => event.data)).toEqual([{ text }]);
  });

  test('of 20 writers who expect the same revision one wins, the others learn where the stream is', async () => {
    const stream = aStream();
    const tried = await Promise.allSettled(Array.from({ length: 20 }, () => given().append(stream, 'none', [anEvent(), anEvent()])));
    expect(tried.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    const reasons = tried.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(reasons).toHaveLength(19);
    for (const reason of reasons) expect(reason).toMatchObject({ name: 'WrongExpectedRevision', actual: 1 });
    expect(await given().readStream(stream)).toHaveLength(2);
  });
}

function repeating(given: Given): void {
  test('the same events at the same expectation are there once and answered as the first time', async () => {
    const stream = aStream();
    for (const expected of ['none', 0, 'any'] as const) {
      const events = [anEvent()];
      const first = await given().append(stream, expected, events);
      expect(await given().append(stream, expected, events)).toEqual(first);
    }
    expect(await given().readStream(stream)).toHaveLength(3);
  });

  test('a repeat is known though others wrote in between', async () => {
    const stream = aStream();
    const [first, second] = [[anEvent(), anEvent()], [anEvent()]];
    const answers = [await given().append(stream, 'none', first), await given().append(stream, 1, second)];
    await given().append(stream, 2, [anEvent()]);
    expect([await given().append(stream, 'none', first), await given().append(stream, 1, second)]).toEqual(answers);
    expect(await given().readStream(stream)).toHaveLength(4);
  });

  test('the same append sent 20 times at once acts once', async () => {
    const stream = aStream();
    const events = [anEvent(), anEvent()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => given().append(stream, 'none', events)));
    expect(new Set(answers.map((answer) => answer.position)).size).toBe(1);
    expect(await given().readStream(stream)).toHaveLength(2);
  });

  test("the same append at 'any' sent 20 times at once acts once, and others made with it keep their place", async () => {
    const stream = aStream();
    const [before, events, after] = [[anEvent()], [anEvent(), anEvent()], [anEvent()]];
    const answers = await Promise.all([before, ...Array.from({ length: 20 }, () => events), after].map((each) => given().append(stream, 'any', each)));
    expect(answers.map((answer) => answer.revision)).toEqual([0, ...Array.from({ length: 20 }, () => 2), 3]);
    const read = await given().readStream(stream);
    expect(read.map((event) => event.id)).toEqual([...before, ...events, ...after].map((event) => event.id));
    expect(answers.map((answer) => answer.position)).toEqual(answers.map((answer) => read[answer.revision]?.position));
  });

  test('old and new events mixed are no repeat', async () => {
    const stream = aStream();
    const old = anEvent();
    await given().append(stream, 'none', [old]);
    await expect(given().append(stream, 'none', [old, anEvent()])).rejects.toThrow(WrongExpectedRevision);
    expect(await given().readStream(stream)).toHaveLength(1);
  });
}

function refusing(given: Given): void {
  test('an append over 256 kB is refused, one just under it is stored', async () => {
    const stream = aStream();
    const half = 'x'.repeat(APPEND_LIMIT_BYTES / 2);
    await expect(given().append(stream, 'none', [anEvent({ half }), anEvent({ half })])).rejects.toThrow(AppendTooLarge);
    await expect(given().append(stream, 'none', [anEvent({ text: 'é'.repeat(APPEND_LIMIT_BYTES / 2) })])).rejects.toThrow(AppendTooLarge);
    expect(await given().readStream(stream)).toEqual([]);
    const most = anEvent({ text: 'x'.repeat(APPEND_LIMIT_BYTES - 600) });
    await given().append(stream, 'none', [most]);
    expect((await given().readStream(stream))[0]?.data).toEqual(most.data);
  });

  test('what no log could give back is refused before anything is queued', async () => {
    const stream = aStream();
    const id = randomUUID();
    const bad: NewEvent[][] = [
      [],
      [{ ...anEvent(), id: 'no-uuid' }],
      [{ ...anEvent(), type: '' }],
      [anEvent({ big: 1n })],
      [{ ...anEvent(), data: undefined }],
      [anEvent({ at: new Date(0) })],
      [anEvent({ n: Number.NaN })],
      [anEvent({ list: [undefined] })],
      [
        { ...anEvent(), id },
        { ...anEvent(), id },
      ],
    ];
    for (const events of bad) await expect(given().append(stream, 'any', events)).rejects.toThrow(TypeError);
    await expect(given().append('', 'any', [anEvent()])).rejects.toThrow(TypeError);
    expect(await given().readStream(stream)).toEqual([]);
  });

  test('appends on one stream take effect in the order in which they were made, whatever they expect', async () => {
    const stream = aStream();
    const tried = await Promise.allSettled((['none', 'any', 1, 1, 'any', 'any', 4] as const).map((expected) => given().append(stream, expected, [anEvent()])));
    expect(tried.map((one) => (one.status === 'fulfilled' ? one.value.revision : 'refused'))).toEqual([0, 1, 2, 'refused', 3, 4, 5]);
  });

  test('one refused append does not touch those made in the same moment', async () => {
    const [good, bad] = [aStream(), aStream()];
    const tried = await Promise.allSettled([
      given().append(good, 'none', [anEvent()]),
      given().append(bad, 5, [anEvent()]),
      given().append(good, 0, [anEvent()]),
    ]);
    expect(tried.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
}

function reading(given: Given): void {
  test('a stream and the log are read in pages, oldest first', async () => {
    const stream = aStream();
    const after = await given().head();
    const events = Array.from({ length: 7 }, (_, n) => anEvent({ n }));
    await given().append(stream, 'none', events);
    const ids = events.map((event) => event.id);
    expect((await given().readStream(stream, { limit: 3 })).map((event) => event.id)).toEqual(ids.slice(0, 3));
    expect((await given().readStream(stream, { from: 5, limit: 3 })).map((event) => event.id)).toEqual(ids.slice(5));
    expect(await given().readStream(stream, { from: 7 })).toEqual([]);
    const page = await given().readAll({ after, limit: 4 });
    expect(page.map((event) => event.id)).toEqual(ids.slice(0, 4));
    const rest = await given().readAll({ after: page.at(-1)?.position ?? 0, limit: 4 });
    expect(rest.map((event) => event.id)).toEqual(ids.slice(4));
    expect(await given().readAll({ after: await given().head() })).toEqual([]);
  });

  test('the newest events come oldest first, and no more than asked for', async () => {
    const stream = aStream();
    const events = Array.from({ length: 5 }, (_, n) => anEvent({ n }));
    for (const event of events) await given().append(stream, 'any', [event]);
    expect(await given().readNewest(3)).toEqual((await given().readStream(stream)).slice(2));
    expect((await given().readNewest(1)).map((event) => event.position)).toEqual([await given().head()]);
    await expect(given().readNewest(0)).rejects.toThrow(RangeError);
  });

  test('a page may start where no event lies: just before one, or beyond the end', async () => {
    const stream = aStream();
    const event = anEvent();
    await given().append(stream, 'none', [anEvent()]);
    const { position } = await given().append(stream, 0, [event]);
    await given().append(stream, 1, [anEvent()]);
    expect((await given().readAll({ after: position - 1, limit: 1 })).map((one) => one.id)).toEqual([event.id]);
    expect(await given().readAll({ after: (await given().head()) + 1_000_000 })).toEqual([]);
    await expect(given().readAll({ after: -1 })).rejects.toThrow(RangeError);
    await expect(given().readStream(stream, { limit: 0 })).rejects.toThrow(RangeError);
  });

  test('a page holds 500 events when nothing else is said', async () => {
    const stream = aStream();
    const after = await given().head();
    await given().append(
      stream,
      'none',
      Array.from({ length: 501 }, () => anEvent()),
    );
    expect(await given().readStream(stream)).toHaveLength(500);
    expect(await given().readAll({ after })).toHaveLength(500);
  });
}

function following(given: Given): void {
  test('a subscription catches up and goes on with what is appended later, each event once and in order', async () => {
    const stream = aStream();
    const after = await given().head();
    const ids: string[] = [];
    const append = async (count: number): Promise<void> => {
      const events = Array.from({ length: count }, () => anEvent());
      ids.push(...events.map((event) => event.id));
      await given().append(stream, 'any', events);
    };
    await append(5);
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const page of given().subscribe({ after, signal: stop.signal, limit: 3 })) {
      expect(page.length).toBeLessThanOrEqual(3);
      seen.push(...page.filter((event) => event.stream === stream).map((event) => event.id));
      if (seen.length === 5) await append(1);
      if (seen.length === 6) void append(4);
      if (seen.length === 10) stop.abort();
    }
    expect(seen).toEqual(ids);
  });

  test('many subscribers see the same, and an abort ends a waiting one quietly', async () => {
    const after = await given().head();
    const stop = new AbortController();
    const event = anEvent();
    const readers = Array.from({ length: 20 }, async () => {
      const seen: string[] = [];
      for await (const page of given().subscribe({ after, signal: stop.signal })) seen.push(...page.map((one) => one.id));
      return seen.includes(event.id);
    });
    const watch = iterate(given().subscribe({ after, signal: stop.signal }));
    const arrived = watch.next();
    await given().append(aStream(), 'none', [event]);
    await arrived;
    const waiting = watch.next();
    stop.abort();
    expect(await waiting).toMatchObject({ done: true });
    expect(await Promise.all(readers)).toEqual(readers.map(() => true));
    const none = given().subscribe({ after: 0, signal: AbortSignal.abort() });
    for await (const page of none) expect(page).toBe('never read');
  });

  test('a slow reader gets full pages of what was appended meanwhile, when it asks', async () => {
    const stream = aStream();
    const stop = new AbortController();
    const pages = iterate(given().subscribe({ after: await given().head(), signal: stop.signal, limit: 50 }));
    const first = pages.next();
    await given().append(stream, 'none', [anEvent()]);
    expect((await first).value).toHaveLength(1);
    for (let n = 0; n < 100; n++) await given().append(stream, 'any', [anEvent({ n })]);
    const next: IteratorResult<readonly StoredEvent[], unknown> = await pages.next();
    expect(next.done ? [] : next.value.map((event) => event.revision)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
    stop.abort();
    expect(await pages.next()).toMatchObject({ done: true });
  });
}

function lasting(given: Given, reopen: () => Promise<EventStore>): void {
  test('what was acknowledged is there after a reopening, under the same identity', async () => {
    const stream = aStream();
    const events = Array.from({ length: 20 }, () => anEvent());
    for (const event of events) await given().append(stream, 'any', [event]);
    const [before, identity] = [await given().readStream(stream), given().identity];
    const again = await reopen();
    expect(await again.readStream(stream)).toEqual(before);
    expect(again.identity).toBe(identity);
    expect(identity).not.toBe('');
    expect((await again.append(stream, 19, [anEvent()])).revision).toBe(20);
    const repeated = await again.append(stream, 18, events.slice(19));
    expect(repeated).toEqual({ revision: 19, position: before[19]?.position });
  });

  test('the last append at any revision is known again after a reopening', async () => {
    const stream = aStream();
    const [first, last] = [[anEvent()], [anEvent(), anEvent()]];
    await given().append(stream, 'any', first);
    const answer = await given().append(stream, 'any', last);
    const again = await reopen();
    expect(await again.append(stream, 'any', last)).toEqual(answer);
    expect(await again.readStream(stream)).toHaveLength(3);
  });

  test('readiness is told without an event', async () => {
    const before = await given().head();
    await given().check();
    expect(await given().head()).toBe(before);
  });

  test('closing answers every append accepted before, and refuses later ones', async () => {
    const stream = aStream();
    const appends = Array.from({ length: 100 }, () => given().append(stream, 'any', [anEvent()]));
    const closed = given().close();
    await expect(given().append(stream, 'any', [anEvent()])).rejects.toThrow(StoreAway);
    await closed;
    expect((await Promise.all(appends)).map((answer) => answer.revision)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    await given().close();
    expect(await (await reopen()).readStream(stream)).toHaveLength(100);
  });
}

async function everything(store: EventStore, from: number): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (let after = from; ;) {
    const page = await store.readAll({ after });
    all.push(...page);
    const last = page.at(-1);
    if (last === undefined) return all;
    after = last.position;
  }
}

const iterate = <T>(pages: AsyncIterable<T>): AsyncIterator<T> => pages[Symbol.asyncIterator]();

const aStream = (): string => `contract-${randomUUID()}`;

function anEvent(data: unknown = {}): NewEvent {
  const meta = { actorUid: null, at: 1_700_000_000_000, commandId: randomUUID(), correlationId: randomUUID(), causationId: null };
  return { id: randomUUID(), type: 'ContractTried', data, meta };
}
