import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { NewEvent } from '../../kernel/event.js';
import { appendNext } from '../../testing/append-next.js';
import { APPEND_LIMIT_BYTES, AppendTooLarge, type ExpectedRevision, WrongExpectedRevision } from './event-store.js';
import { anEvent, aStream, everything, type CurrentStore } from '../../testing/event-store-fixture.js';

/** The expected revision of the next append to a stream with `count` events. */
const revisionAfter = (count: number): ExpectedRevision => (count === 0 ? 'none' : count - 1);

/** What every event store promises about an append. */
export function appending(given: CurrentStore, atOnce: number): void {
  test('events are read back as appended, with their stream, revision and position', async () => {
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

  test('an append continues a stream at the expected revision', async () => {
    const stream = aStream();
    expect((await given().append(stream, 'none', [anEvent()])).revision).toBe(0);
    expect((await given().append(stream, 0, [anEvent(), anEvent()])).revision).toBe(2);
    expect((await given().append(stream, 2, [anEvent()])).revision).toBe(3);
  });

  test('an append at a wrong revision writes nothing and reports the actual one', async () => {
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

  test('appends of one writer are stored in the order of the calls', async () => {
    const stream = aStream();
    const events = Array.from({ length: 50 }, (_, n) => anEvent({ n }));
    const after = await given().head();
    await Promise.all(events.map((event, n) => given().append(stream, revisionAfter(n), [event])));
    const all = (await given().readAll({ after })).filter((event) => event.stream === stream);
    expect(all.map((event) => event.id)).toEqual(events.map((event) => event.id));
  });

  test('64 writers on 8 streams produce gapless revisions, rising positions and every event once', async () => {
    const streams = Array.from({ length: 8 }, aStream);
    const after = await given().head();
    const write = async (writer: number): Promise<string[]> => {
      const ids: string[] = [];
      for (let n = 0; n < 5; n++) {
        const events = [anEvent({ writer, n }), anEvent({ writer, n })];
        await appendNext(given(), streams[writer % 8] ?? '', events);
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

  test(`${atOnce} concurrent appends are each stored once and in order`, async () => {
    const streams = Array.from({ length: 30 }, aStream);
    const after = await given().head();
    const appends = Array.from({ length: atOnce }, (_, n) => ({ stream: streams[n % 30] ?? '', revision: Math.floor(n / 30), event: anEvent({ n }) }));
    const answers = await Promise.all(appends.map(({ stream, revision, event }) => given().append(stream, revisionAfter(revision), [event])));
    expect(answers.map((answer) => answer.revision)).toEqual(appends.map(({ revision }) => revision));
    const all = await everything(given(), after);
    for (const stream of streams) {
      const sent = appends.filter((each) => each.stream === stream).map(({ event }) => event.id);
      expect(all.filter((event) => event.stream === stream).map(({ id }) => id)).toEqual(sent);
    }
  });

  test('80 concurrent appends of 200 kB each, more than any group holds, are all stored', async () => {
    const streams = Array.from({ length: 80 }, aStream);
    const text = 'x'.repeat(200_000);
    await Promise.all(streams.map((stream) => given().append(stream, 'none', [anEvent({ text })])));
    for (const stream of streams) expect((await given().readStream(stream)).map((event) => event.data)).toEqual([{ text }]);
  });

  test('of 20 writers that expect the same revision one wins and the others learn the actual one', async () => {
    const stream = aStream();
    const tried = await Promise.allSettled(Array.from({ length: 20 }, () => given().append(stream, 'none', [anEvent(), anEvent()])));
    expect(tried.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    const reasons = tried.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(reasons).toHaveLength(19);
    for (const reason of reasons) expect(reason).toMatchObject({ name: 'WrongExpectedRevision', actual: 1 });
    expect(await given().readStream(stream)).toHaveLength(2);
  });
}

/** What it promises about a repeated append. */
export function repeating(given: CurrentStore): void {
  test('the same events at the same expected revision are stored once and get the first result again', async () => {
    const stream = aStream();
    for (const expected of ['none', 0, 1] as const) {
      const events = [anEvent()];
      const first = await given().append(stream, expected, events);
      expect(await given().append(stream, expected, events)).toEqual(first);
    }
    expect(await given().readStream(stream)).toHaveLength(3);
  });

  test('a repeat is recognised after writes by others', async () => {
    const stream = aStream();
    const [first, second] = [[anEvent(), anEvent()], [anEvent()]];
    const answers = [await given().append(stream, 'none', first), await given().append(stream, 1, second)];
    await given().append(stream, 2, [anEvent()]);
    expect([await given().append(stream, 'none', first), await given().append(stream, 1, second)]).toEqual(answers);
    expect(await given().readStream(stream)).toHaveLength(4);
  });

  test('the same append sent 20 times at once is stored once', async () => {
    const stream = aStream();
    const events = [anEvent(), anEvent()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => given().append(stream, 'none', events)));
    expect(new Set(answers.map((answer) => answer.position)).size).toBe(1);
    expect(await given().readStream(stream)).toHaveLength(2);
  });

  test('the same append sent 20 times at once among others is stored once, and the others keep their order', async () => {
    const stream = aStream();
    const [before, events, after] = [[anEvent()], [anEvent(), anEvent()], [anEvent()]];
    const answers = await Promise.all([
      given().append(stream, 'none', before),
      ...Array.from({ length: 20 }, () => given().append(stream, 0, events)),
      given().append(stream, 2, after),
    ]);
    expect(answers.map((answer) => answer.revision)).toEqual([0, ...Array.from({ length: 20 }, () => 2), 3]);
    const read = await given().readStream(stream);
    expect(read.map((event) => event.id)).toEqual([...before, ...events, ...after].map((event) => event.id));
    expect(answers.map((answer) => answer.position)).toEqual(answers.map((answer) => read[answer.revision]?.position));
  });

  test('a mix of old and new events is not a repeat', async () => {
    const stream = aStream();
    const old = anEvent();
    await given().append(stream, 'none', [old]);
    await expect(given().append(stream, 'none', [old, anEvent()])).rejects.toThrow(WrongExpectedRevision);
    expect(await given().readStream(stream)).toHaveLength(1);
  });
}

/** Which appends it refuses without side effects. */
export function refusing(given: CurrentStore): void {
  test('an append over 256 kB is refused, one just below is stored', async () => {
    const stream = aStream();
    const half = 'x'.repeat(APPEND_LIMIT_BYTES / 2);
    await expect(given().append(stream, 'none', [anEvent({ half }), anEvent({ half })])).rejects.toThrow(AppendTooLarge);
    await expect(given().append(stream, 'none', [anEvent({ text: 'é'.repeat(APPEND_LIMIT_BYTES / 2) })])).rejects.toThrow(AppendTooLarge);
    expect(await given().readStream(stream)).toEqual([]);
    const most = anEvent({ text: 'x'.repeat(APPEND_LIMIT_BYTES - 600) });
    await given().append(stream, 'none', [most]);
    expect((await given().readStream(stream))[0]?.data).toEqual(most.data);
  });

  test('events that cannot be stored as JSON are refused before anything is queued', async () => {
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
    for (const events of bad) await expect(given().append(stream, 'none', events)).rejects.toThrow(TypeError);
    await expect(given().append('', 'none', [anEvent()])).rejects.toThrow(TypeError);
    expect(await given().readStream(stream)).toEqual([]);
  });

  test('appends to one stream take effect in the order of the calls, whatever revision they expect', async () => {
    const stream = aStream();
    const tried = await Promise.allSettled((['none', 0, 1, 1, 2, 3, 4] as const).map((expected) => given().append(stream, expected, [anEvent()])));
    expect(tried.map((one) => (one.status === 'fulfilled' ? one.value.revision : 'refused'))).toEqual([0, 1, 2, 'refused', 3, 4, 5]);
  });

  test('a refused append does not affect concurrent ones', async () => {
    const [good, bad] = [aStream(), aStream()];
    const tried = await Promise.allSettled([
      given().append(good, 'none', [anEvent()]),
      given().append(bad, 5, [anEvent()]),
      given().append(good, 0, [anEvent()]),
    ]);
    expect(tried.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
}
