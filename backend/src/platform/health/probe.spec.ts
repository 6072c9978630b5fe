import { expect, test } from '@jest/globals';
import { DiskFull, StoreAway } from '../store-errors.js';
import { Probe } from './probe.js';

const DEADLINE_MS = 30;
let now = 0;
const clock = (): number => now;

test.each<[what: string, write: () => Promise<void>, state: string]>([
  ['takes a write', () => Promise.resolve(), 'ok'],
  ['has no room', () => Promise.reject(new DiskFull('no room')), 'full'],
  ['refuses', () => Promise.reject(new StoreAway('closed')), 'away'],
  ['fails in another way', () => Promise.reject(new Error('who knows')), 'away'],
  ['never answers', () => new Promise(() => undefined), 'away'],
])('a store that %s', async (_what, write, state) => {
  expect(await new Probe(write, DEADLINE_MS).state()).toBe(state);
});

test('however many ask, there is one write a second', async () => {
  let writes = 0;
  const probe = new Probe(() => Promise.resolve(void (writes += 1)), DEADLINE_MS, clock);
  await Promise.all(Array.from({ length: 100 }, () => probe.state()));
  now += 999;
  expect([await probe.state(), writes]).toEqual(['ok', 1]);
  now += 1;
  expect([await probe.state(), writes]).toEqual(['ok', 2]);
});

test('a store that does not answer is not asked again meanwhile, and is believed when it does', async () => {
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
