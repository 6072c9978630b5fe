import { expect, test } from '@jest/globals';
import { ReactorProgress } from './reactor-progress.js';

const given = (...positions: readonly number[]): ReactorProgress => {
  const progress = new ReactorProgress({ position: 10, finished: [] });
  for (const position of positions) progress.give(position);
  return progress;
};

test.each<[string, readonly number[], number, readonly number[]]>([
  ['nothing', [], 10, []],
  ['the first', [20], 20, []],
  ['the second', [30], 10, [30]],
  ['all but the first', [50, 30], 10, [30, 50]],
  ['all, in any order', [50, 20, 30], 50, []],
  ['all but the second', [50, 20], 20, [50]],
  ['an event that was never given', [40], 10, []],
])('the checkpoint is before the lowest unfinished event when %s is finished', (_what, finished, position, beyond) => {
  const progress = given(20, 30, 50);
  for (const each of finished) progress.finish(each);
  expect(progress.stored).toEqual({ position, finished: beyond });
});

test('events without a reaction move the checkpoint, unless an earlier one is unfinished', () => {
  const progress = given(20);
  progress.pass(25);
  expect([progress.stored.position, progress.read]).toEqual([10, 25]);
  progress.finish(20);
  expect([progress.stored.position, progress.size]).toEqual([25, 0]);
});

test('after a restart, events that were finished beyond the checkpoint are not given again', () => {
  const progress = new ReactorProgress({ position: 10, finished: [30, 50] });
  expect([20, 30, 40, 50].map((position) => progress.give(position))).toEqual([true, false, true, false]);
  expect(progress.stored).toEqual({ position: 10, finished: [30, 50] });
  progress.finish(20);
  expect(progress.stored).toEqual({ position: 30, finished: [50] });
  progress.finish(40);
  expect(progress.stored).toEqual({ position: 50, finished: [] });
});
