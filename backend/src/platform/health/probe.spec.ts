import { expect, test } from '@jest/globals';
import { DiskFull, ServiceUnavailable } from '../store-errors.js';
import { Probe } from './probe.js';

const DEADLINE_MS = 30;
let now = 0;
const clock = (): number => now;

test.each<[what: string, write: () => Promise<void>, state: string]>([
  ['accepts a write', () => Promise.resolve(), 'ok'],
  ['is full', () => Promise.reject(new DiskFull('full')), 'full'],
  ['refuses', () => Promise.reject(new ServiceUnavailable('closed')), 'away'],
  ['fails with another error', () => Promise.reject(new Error('unexpected')), 'away'],
  ['never answers', () => new Promise(() => undefined), 'away'],
])('a store that %s', async (_what, write, state) => {
  expect(await new Probe(write, DEADLINE_MS).state()).toBe(state);
});

test('there is at most one write per second, however many callers there are', async () => {
  let writes = 0;
  const probe = new Probe(() => Promise.resolve(void (writes += 1)), DEADLINE_MS, clock);
  await Promise.all(Array.from({ length: 100 }, () => probe.state()));
  now += 999;
  expect([await probe.state(), writes]).toEqual(['ok', 1]);
  now += 1;
  expect([await probe.state(), writes]).toEqual(['ok', 2]);
});

test('a store that does not answer gets no second write, and its late answer counts', async () => {
  let answer = (): void => undefined;
  let writes = 0;
  const write = (): Promise<void> => {
    writes += 1;
    return new Promise((resolve) => (answer = resolve));
  };
  const probe = new Probe(write, DEADLINE_MS, clock);
  expect([await probe.state(), await probe.state(), writes]).toEqual(['away', 'away', 1]);
  answer();
  await new Promise(setImmediate);
  expect([await probe.state(), writes]).toEqual(['ok', 1]);
});
