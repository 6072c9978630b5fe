import { beforeEach, expect, test } from '@jest/globals';
import { Contention } from './contention.js';

const STREAM = 'project-p1';
let now: number;
let chance: number;
let pauses: number[];
let contention: Contention;

beforeEach(() => {
  [now, chance, pauses] = [1_000, 1, []];
  contention = new Contention({
    random: () => chance,
    now: () => now,
    pause: (milliseconds) => {
      pauses.push(milliseconds);
      now += milliseconds;
      return Promise.resolve();
    },
  });
});

/** A command that gets through after so many losses, each attempt taking ten milliseconds. */
async function command(losses = 0): Promise<void> {
  await contention.giveWay(STREAM);
  for (let attempt = 1; attempt <= losses; attempt += 1) {
    now += 10;
    await contention.lost(STREAM, attempt, 10);
  }
  now += 10;
  contention.won(STREAM, 10);
}

test('on a stream that nobody else writes nothing waits', async () => {
  for (let nth = 0; nth < 5; nth += 1) await command();
  expect(pauses).toEqual([]);
});

test('who lost tries again at once, and from then on after a random moment', async () => {
  await command(1);
  expect(pauses).toEqual([]);
  await contention.lost(STREAM, 2, 10);
  expect(pauses).toEqual([10]);
  chance = 0;
  await contention.lost(STREAM, 3, 10);
  expect(pauses).toEqual([10]);
});

test('who lost a hundred times gives way no longer afterwards than who lost five times', async () => {
  chance = 0;
  await command(100);
  const begun = now;
  await command();
  // Half of three times five attempts of ten milliseconds, less what was forgotten since, and its own.
  expect(now - begun).toBe(0.5 * 3 * (5 * 0.95) * 10 + 10);
});

test('who just got through where others write waits for as long as they need, counted from its last event', async () => {
  await command(1);
  await command();
  now += 25;
  await command();
  now += 100;
  await command();
  expect(pauses).toEqual([30, 5]);
});

test('that others write is seen without losing to them', async () => {
  contention.seen(STREAM);
  await command();
  await command();
  expect(pauses).toEqual([30]);
});

test('with more losses it waits longer, but never long, and forgets them as it gets through', async () => {
  await command(4);
  pauses.length = 0;
  await command();
  expect(pauses[0]).toBeCloseTo(3 * 10 * 4 * 0.95);
  for (let nth = 0; nth < 40; nth += 1) {
    contention.seen(STREAM);
    await command();
  }
  expect(pauses.at(-1)).toBeCloseTo(30);
  await contention.lost(STREAM, 1, 100_000);
  contention.won(STREAM, 10);
  await command();
  expect(pauses.at(-1)).toBe(150);
});

test('a while after the others have gone nothing waits any more', async () => {
  await command(1);
  now += 2_000;
  await command();
  await command();
  expect(pauses).toEqual([]);
});
