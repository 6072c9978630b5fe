import { expect, test } from '@jest/globals';
import { MessageBudget } from './message-budget.js';

const spent = (budget: MessageBudget): number => {
  for (let taken = 0; ; taken += 1) if (!budget.take()) return taken;
};

test('a socket may send a hundred messages at once, then twenty a second, and never saves up more than a hundred', () => {
  let now = 0;
  const budget = new MessageBudget(() => now);
  expect(spent(budget)).toBe(100);
  now += 1_000;
  expect(spent(budget)).toBe(20);
  now += 60_000;
  expect(spent(budget)).toBe(100);
});

test('an expensive message leaves less for the next ones', () => {
  let now = 0;
  const budget = new MessageBudget(() => now);
  budget.charge(110);
  expect(spent(budget)).toBe(0);
  now += 500;
  expect(spent(budget)).toBe(0);
  now += 1_000;
  expect(spent(budget)).toBe(20);
});
