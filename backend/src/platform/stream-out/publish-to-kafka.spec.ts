import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { ServiceUnavailable } from '../store-errors.js';
import { withOverride } from '../../testing/temporary-vault.js';
import type { EventStore } from '../event-store/event-store.js';
import { EventsTooLarge, type EventStreamPublisher, type OutgoingEvent } from './event-stream-publisher.js';
import { PublishToKafka } from './publish-to-kafka.js';
import { appendNext } from '../../testing/append-next.js';

let testStores: TestStores;
const loops: PublishToKafka[] = [];
/** Every accepted batch. */
let batches: (readonly OutgoingEvent[])[];
/** How the broker reacts to a batch before accepting it. */
let answer: (events: readonly OutgoingEvent[], signal: AbortSignal) => Promise<void>;
let awake: () => void;

/** A publisher that keeps accepted batches; each test decides about failures. */
const publisher: EventStreamPublisher = {
  async publish(events, signal) {
    try {
      await answer(events, signal);
      batches.push(events);
    } finally {
      awake();
    }
  },
  connect: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

const meta = { actorUid: 'ana', at: 1_700_000_000_000, commandId: 'c', correlationId: 'c', causationId: null };
const write = async (count: number, { type = 'VersionRemoved', at = meta.at } = {}): Promise<number> => {
  const events = Array.from({ length: count }, () => ({ id: randomUUID(), type, data: { versionId: 'v1' }, meta: { ...meta, at } }));
  let position = 0;
  for (let from = 0; from < count; from += 100) position = (await appendNext(testStores.store, 'project-p1', events.slice(from, from + 100))).position;
  return position;
};
const loop = (store: EventStore = testStores.store): PublishToKafka => {
  const { vault, log, sealer } = testStores;
  const made = new PublishToKafka({
    store,
    vault,
    publisher,
    isKnown: (type) => sealer.knows(type),
    log: { ...log, debug: () => undefined, warn: () => undefined },
  });
  loops.push(made);
  return made;
};
const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  for (;;) {
    const next = new Promise<void>((resolve) => {
      awake = resolve;
      setTimeout(resolve, 20);
    });
    if (await condition()) return;
    await next;
  }
};
const positions = (): readonly number[] => batches.flat().map(({ body }) => Number((JSON.parse(body) as { position: string }).position));
const upTo = (last: number, first = 1): readonly number[] => Array.from({ length: last - first + 1 }, (_, at) => first + at);
const checkpoint = async (): Promise<number | undefined> =>
  (await testStores.vault.get<{ position: number }>('reactor-checkpoints', 'publish-to-kafka'))?.body.position;
const at = (position: number) => until(async () => (await checkpoint()) === position);
const logged = (message: string) => testStores.logged.filter((each) => each.message === message);

beforeEach(async () => {
  testStores = await openTestStores();
  batches = [];
  answer = () => Promise.resolve();
  awake = () => undefined;
});
afterEach(async () => {
  for (const each of loops.splice(0)) await each.stop();
  await testStores.close();
});

test('publishing starts at the first event of the log in batches of at most 300, then follows the log', async () => {
  await write(700);
  await loop().start();
  await at(700);
  await write(1);
  await at(701);
  expect(positions()).toEqual(upTo(701));
  expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(300);
});

test('a batch holds at most 500 kB', async () => {
  const data = { versionId: 'x'.repeat(100_000) };
  for (let n = 0; n < 8; n += 1) await appendNext(testStores.store, 'project-p1', [{ id: randomUUID(), type: 'VersionRemoved', data, meta }]);
  await loop().start();
  await at(8);
  expect(batches.map(({ length }) => length)).toEqual([4, 4]);
});

test('publishing continues from its checkpoint, which moves when a batch is acknowledged', async () => {
  await write(3);
  const first = loop();
  await first.start();
  await at(3);
  await first.stop();
  await write(2);
  await loop().start();
  await at(5);
  expect(positions()).toEqual(upTo(5));
});

test('an outage loses no events, and its start and end are logged once', async () => {
  let tries = 0;
  answer = () => ((tries += 1) < 3 ? Promise.reject(new ServiceUnavailable('no broker')) : Promise.resolve());
  await loop().start();
  await write(2);
  await at(2);
  expect(positions()).toEqual([1, 2]);
  expect(testStores.logged.map(({ level, message }) => [level, message])).toEqual([
    ['error', 'Kafka is unavailable; events remain in the log until it is back'],
    ['info', 'Kafka is back; publishing continues'],
  ]);
});

test('the publisher reports its lag', async () => {
  answer = (_events, signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new ServiceUnavailable('stopping'))));
  await write(5);
  const slow = loop();
  await slow.start();
  expect(await slow.status()).toEqual({ reactor: 'publish-to-kafka', checkpoint: 0, lag: 5, parked: [] });
});

describe('a publisher that is stopped in the middle of a send', () => {
  test('waits for the answer, and does not send the event again', async () => {
    let take: () => void = () => undefined;
    answer = () =>
      new Promise((resolve) => {
        take = resolve;
        awake();
      });
    let isSending = false;
    const taken = answer;
    answer = (events, signal) => {
      isSending = true;
      return taken(events, signal);
    };
    await write(1);
    const stopped = loop();
    await stopped.start();
    await until(() => isSending);
    const stopping = stopped.stop();
    take();
    await stopping;
    expect(await checkpoint()).toBe(1);
  });

  test('abandons a send not answered within two seconds, and sends the event again after the restart', async () => {
    let isSending = false;
    answer = (_events, signal) => {
      isSending = true;
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new ServiceUnavailable('stopping'))));
    };
    await write(1);
    const stopped = loop();
    await stopped.start();
    await until(() => isSending);
    await stopped.stop();
    expect(await checkpoint()).toBe(0);
    answer = () => Promise.resolve();
    await stopped.start();
    await at(1);
    expect(positions()).toEqual([1]);
  });
});

describe('an event that cannot be sent', () => {
  const tooLarge = (position: number) => (events: readonly OutgoingEvent[]) => {
    const has = events.some(({ body }) => (JSON.parse(body) as { position: string }).position === String(position));
    return has ? Promise.reject(new EventsTooLarge('too large')) : Promise.resolve();
  };

  test('is parked when it is too large on its own, and the rest is sent in order', async () => {
    answer = tooLarge(5);
    await write(9);
    const each = loop();
    await each.start();
    await at(9);
    expect(positions()).toEqual([...upTo(4), ...upTo(9, 6)]);
    const reaction = { position: 5, stream: 'project-p1', type: 'VersionRemoved', reason: 'reaction' };
    expect(await each.status()).toEqual({ reactor: 'publish-to-kafka', checkpoint: 9, lag: 0, parked: [reaction] });
    expect(logged('reaction parked')).toHaveLength(1);
    expect(await each.replay()).toEqual({ done: [], failed: [5] });
    answer = () => Promise.resolve();
    expect(await each.replay(4)).toEqual({ done: [], failed: [] });
    expect(await each.replay(5)).toEqual({ done: [5], failed: [] });
    expect((await each.status()).parked).toEqual([]);
    expect(positions().at(-1)).toBe(5);
  });

  test('is parked when it cannot be converted', async () => {
    await write(1);
    await write(1, { at: Number.MAX_SAFE_INTEGER });
    await write(1);
    const each = loop();
    await each.start();
    await at(3);
    expect(positions()).toEqual([1, 3]);
    expect((await each.status()).parked.map(({ position }) => position)).toEqual([2]);
  });
});

test('an event of an unknown type is published without data', async () => {
  await write(1, { type: 'SongSung' });
  await loop().start();
  await at(1);
  expect(batches.flat().map(({ type, body }) => [type, body.includes('v1')])).toEqual([['roughmix.SongSung', false]]);
});

test('when a second publisher takes over, the first notices at its next batch and stops', async () => {
  await write(1);
  const first = loop();
  await first.start();
  await at(1);
  await loop().start();
  await write(1);
  await at(2);
  await until(() => logged('another process has taken over publishing; stopping here').length === 1);
  await write(1);
  await at(3);
  expect(new Set(positions())).toEqual(new Set([1, 2, 3]));
  expect(positions().filter((position) => position === 3)).toEqual([3]);
});

test('a checkpoint ahead of the log is set back to its end and logged', async () => {
  await write(2);
  await testStores.vault.declare({ name: 'reactor-checkpoints' });
  await testStores.vault.put('reactor-checkpoints', 'publish-to-kafka', { position: 900 });
  await loop().start();
  await write(1);
  await at(3);
  expect(positions()).toEqual([3]);
  expect(logged('a reactor is ahead of the log: continuing from its end')).toHaveLength(1);
});

test('a server that lags behind its leader does not set the checkpoint back', async () => {
  await write(3);
  await loop().start();
  await at(3);
  await loops[0]?.stop();
  const lagging = withOverride<EventStore, 'head'>(testStores.store, 'head', () => Promise.resolve(1));
  const leaderless = withOverride(lagging, 'confirmedHead', () => Promise.reject(new ServiceUnavailable('no leader')));
  await expect(loop(leaderless).start()).rejects.toThrow('no leader');
  expect(await checkpoint()).toBe(3);
  await loop(lagging).start();
  await write(1);
  await at(4);
  expect(positions()).toEqual([1, 2, 3, 4]);
});

describe('rewinding', () => {
  test('publishes the events after a position again, and continues with new ones', async () => {
    await write(5);
    const each = loop();
    await each.start();
    await at(5);
    expect(await each.rewind(3)).toEqual({ from: 5, to: 3 });
    await at(5);
    await write(1);
    await at(6);
    expect(positions()).toEqual([...upTo(5), 4, 5, 6]);
    expect(new Set(batches.flat().map(({ id }) => id)).size).toBe(6);
  });

  test('also while Kafka is down', async () => {
    await write(3);
    const each = loop();
    await each.start();
    await at(3);
    answer = () => Promise.reject(new ServiceUnavailable('down'));
    await write(1);
    await until(() => logged('Kafka is unavailable; events remain in the log until it is back').length === 1);
    expect(await each.rewind(1)).toEqual({ from: 3, to: 1 });
    answer = () => Promise.resolve();
    await at(4);
    expect(positions()).toEqual([1, 2, 3, 2, 3, 4]);
  });

  test('never goes forward, and does nothing where publishing does not run', async () => {
    await write(2);
    const each = loop();
    expect(await each.rewind(0)).toBeNull();
    await each.start();
    await at(2);
    expect(await each.rewind(9)).toEqual({ from: 2, to: 2 });
    await each.stop();
    expect(await each.rewind(0)).toBeNull();
    expect([await checkpoint(), positions()]).toEqual([2, [1, 2]]);
  });
});
