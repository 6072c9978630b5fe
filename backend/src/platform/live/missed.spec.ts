import { randomUUID } from 'node:crypto';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import type { EventStore } from '../event-store/event-store.js';
import { missedEvents } from './missed.js';
import { appendNext } from '../../testing/append-next.js';

let testStores: TestStores;
beforeEach(async () => {
  testStores = await openTestStores();
});
afterEach(() => testStores.close());

const meta = { actorUid: 'ana', at: 1, commandId: 'k', correlationId: 'k', causationId: null };
const append = async (stream: string, count: number): Promise<number> => {
  const events = Array.from({ length: count }, () => ({ id: randomUUID(), type: 'ProjectLeft', data: { uid: 'bob' }, meta }));
  return (await appendNext(testStores.store, stream, events)).position;
};
const missed = async (after: number, until: number, store: EventStore = testStores.store) =>
  (await missedEvents(store, 'project-p1', { after, until }, LIMITS.catchUpEvents))?.events.map((event) => event.position) ?? null;

test("a span holds a stream's events after one position, up to another, and nothing of other streams", async () => {
  const first = await append('project-p1', 2);
  await append('project-p2', 1);
  const last = await append('project-p1', 2);
  expect(await missed(first - 1, last - 1)).toEqual([first, last - 1]);
  expect(await missed(last, last)).toEqual([]);
});

test('a position beyond the log belongs to another log', async () => {
  const last = await append('project-p1', 1);
  expect(await missed(last + 1, last)).toBeNull();
});

test('500 events are read, more are not', async () => {
  const last = await append('project-p1', LIMITS.catchUpEvents);
  expect(await missed(0, last)).toHaveLength(LIMITS.catchUpEvents);
  expect(await missed(0, await append('project-p1', 1))).toBeNull();
});

test('the next span is read from where the last one ended, without a search', async () => {
  const first = await append('project-p1', 30);
  const begun = await missedEvents(testStores.store, 'project-p1', { after: 0, until: first }, LIMITS.catchUpEvents);
  const second = await append('project-p1', 2);
  const reads: (number | undefined)[] = [];
  const store = new Proxy<EventStore>(testStores.store, {
    get: (log, name) =>
      name === 'readStream'
        ? (stream: string, options: { from?: number }) => {
            reads.push(options.from);
            return log.readStream(stream, options);
          }
        : (Reflect.get(log, name) as unknown),
  });
  const span = { after: first, until: second, from: begun?.next };
  expect((await missedEvents(store, 'project-p1', span, LIMITS.catchUpEvents))?.events.map(({ position }) => position)).toEqual([second - 1, second]);
  expect(reads).toEqual([30]);
});
