import { beforeEach, expect, test } from '@jest/globals';
import { Contention } from './contention.js';

const STREAM = 'project-p1';
let now: number;
let pauses: number[];
let contention: Contention;

beforeEach(() => {
  [now, pauses] = [1_000, []];
  contention = new Contention({
    random: () => 0.75,
    now: () => now,
    pause: (milliseconds) => {
      pauses.push(milliseconds);
      now += milliseconds;
      return Promise.resolve();
    },
  });
});

/** A command that gets through after so many losses. */
async function command(losses = 0): Promise<void> {
  await contention.giveWay(STREAM);
  for (let attempt = 1; attempt <= losses; attempt += 1) await contention.lost(STREAM, attempt);
  contention.won(STREAM);
}

test('nothing waits on a stream that no other process writes', async () => {
  for (let nth = 0; nth < 5; nth += 1) await command();
  expect(pauses).toEqual([]);
});

test('retries stay quick however often they lose', async () => {
  await command(6);
  expect(pauses).toEqual([3, 3, 3, 3, 3, 3]);
});

test('a writer backs off longer the more attempts it has lost on the stream, and less after each command that succeeds', async () => {
  await command(5);
  pauses.length = 0;
  for (let nth = 0; nth < 5; nth += 1) await command();
  expect(pauses).toEqual([24, 12, 6, 3, 3]);
});

test('no backoff is longer than 150 ms', async () => {
  await command(100);
  pauses.length = 0;
  await command();
  expect(pauses).toEqual([112]);
});

test('a writer backs off from its own last append: one that paused anyway does not wait', async () => {
  await command(3);
  pauses.length = 0;
  now += 2;
  await command();
  now += 20;
  await command();
  expect(pauses).toEqual([4]);
});

test('seeing what another process wrote counts as contention, without losing to it', async () => {
  contention.seen(STREAM);
  await command();
  await command();
  expect(pauses).toEqual([3]);
});

test('nothing waits any more two seconds after another process last wrote', async () => {
  await command(1);
  pauses.length = 0;
  now += 2_001;
  await command();
  await command();
  expect(pauses).toEqual([]);
});
