import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { StoredEvent } from '../../kernel/event.js';
import { ServiceUnavailable } from '../store-errors.js';
import type { EventStore } from './event-store.js';
import { appending, refusing, repeating } from './event-store-appending.contract.js';
import { anEvent, aStream, type CurrentStore, iterate } from '../../testing/event-store-fixture.js';
import { appendNext } from '../../testing/append-next.js';

/** An empty store. `reopen` closes it and opens the same log again; `dispose` closes and deletes it. */
export interface OpenedForContract {
  readonly store: EventStore;
  reopen(): Promise<EventStore>;
  dispose(): Promise<void>;
}

/**
 * Everything the port promises, checked for one adapter. Stream names are unique, so a shared server may be used.
 * @param atOnce how many concurrent appends the store must answer before their deadline, on a busy machine
 */
export function eventStoreContract(name: string, { atOnce }: { readonly atOnce: number }, open: () => Promise<OpenedForContract>): void {
  describe(`event store contract: ${name}`, () => {
    let opened: OpenedForContract;
    let store: EventStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.dispose());
    appending(() => store, atOnce);
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

function reading(given: CurrentStore): void {
  test('streams and the log are read in pages, oldest first', async () => {
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

  test('the newest events are returned oldest first, up to the limit', async () => {
    const stream = aStream();
    const events = Array.from({ length: 5 }, (_, n) => anEvent({ n }));
    for (const event of events) await appendNext(given(), stream, [event]);
    expect(await given().readNewest(3)).toEqual((await given().readStream(stream)).slice(2));
    expect((await given().readNewest(1)).map((event) => event.position)).toEqual([await given().head()]);
    await expect(given().readNewest(0)).rejects.toThrow(RangeError);
  });

  test('a page may start at a position without an event: just before one, or beyond the end', async () => {
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

  test('a page holds 500 events by default', async () => {
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

function following(given: CurrentStore): void {
  test('a subscription catches up and follows later appends, each event once and in order', async () => {
    const stream = aStream();
    const after = await given().head();
    const ids: string[] = [];
    const append = async (count: number): Promise<void> => {
      const events = Array.from({ length: count }, () => anEvent());
      ids.push(...events.map((event) => event.id));
      await appendNext(given(), stream, events);
    };
    await append(5);
    const stop = new AbortController();
    const seen: string[] = [];
    let last: Promise<void> | undefined;
    for await (const page of given().subscribe({ after, signal: stop.signal, limit: 3 })) {
      expect(page.length).toBeLessThanOrEqual(3);
      seen.push(...page.filter((event) => event.stream === stream).map((event) => event.id));
      // A page may contain only events of other tests.
      if (seen.length === 5 && ids.length === 5) await append(1);
      if (seen.length === 6 && ids.length === 6) last = append(4);
      if (seen.length === 10) stop.abort();
    }
    await last;
    expect(seen).toEqual(ids);
  });

  test('many subscribers see the same events, and an abort ends a waiting one without an error', async () => {
    const after = await given().head();
    const stop = new AbortController();
    const event = anEvent();
    let seen = 0;
    const readers = Array.from({ length: 20 }, async () => {
      for await (const page of given().subscribe({ after, signal: stop.signal })) seen += page.filter(({ id }) => id === event.id).length;
    });
    const watch = iterate(given().subscribe({ after, signal: stop.signal }));
    const arrived = watch.next();
    await given().append(aStream(), 'none', [event]);
    await arrived;
    while (seen < readers.length) await new Promise((resolve) => setImmediate(resolve));
    const waiting = watch.next();
    stop.abort();
    expect(await waiting).toMatchObject({ done: true });
    await Promise.all(readers);
    expect(seen).toBe(readers.length);
    const none = given().subscribe({ after: 0, signal: AbortSignal.abort() });
    for await (const page of none) expect(page).toBe('never read');
  });

  test('a slow reader gets full pages of events appended in the meantime', async () => {
    const stream = aStream();
    const stop = new AbortController();
    const pages = iterate(given().subscribe({ after: await given().head(), signal: stop.signal, limit: 50 }));
    const first = pages.next();
    await given().append(stream, 'none', [anEvent()]);
    expect((await first).value).toHaveLength(1);
    for (let n = 0; n < 100; n++) await appendNext(given(), stream, [anEvent({ n })]);
    const next: IteratorResult<readonly StoredEvent[], unknown> = await pages.next();
    expect(next.done ? [] : next.value.map((event) => event.revision)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
    stop.abort();
    expect(await pages.next()).toMatchObject({ done: true });
  });
}

function lasting(given: CurrentStore, reopen: () => Promise<EventStore>): void {
  test('acknowledged events survive reopening, under the same identity', async () => {
    const stream = aStream();
    const events = Array.from({ length: 20 }, () => anEvent());
    for (const event of events) await appendNext(given(), stream, [event]);
    const [before, identity] = [await given().readStream(stream), given().identity];
    const again = await reopen();
    expect(await again.readStream(stream)).toEqual(before);
    expect(again.identity).toBe(identity);
    expect(identity).not.toBe('');
    expect((await again.append(stream, 19, [anEvent()])).revision).toBe(20);
    const repeated = await again.append(stream, 18, events.slice(19));
    expect(repeated).toEqual({ revision: 19, position: before[19]?.position });
  });

  test('the readiness check appends no event', async () => {
    const before = await given().head();
    await given().check();
    expect(await given().head()).toBe(before);
  });

  test('closing answers every accepted append and refuses later ones', async () => {
    const stream = aStream();
    const appends = Array.from({ length: 100 }, () => appendNext(given(), stream, [anEvent()]));
    const closed = given().close();
    await expect(appendNext(given(), stream, [anEvent()])).rejects.toThrow(ServiceUnavailable);
    await closed;
    expect((await Promise.all(appends)).map((answer) => answer.revision)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    await given().close();
    expect(await (await reopen()).readStream(stream)).toHaveLength(100);
  });
}
