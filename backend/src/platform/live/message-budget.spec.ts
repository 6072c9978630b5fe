import { beforeEach, expect, test } from '@jest/globals';
import { type MessageBudget, MessageBudgets } from './message-budget.js';

let now: number;
let budgets: MessageBudgets;
beforeEach(() => {
  now = 0;
  budgets = new MessageBudgets(() => now);
});

const spent = (budget: MessageBudget): number => {
  for (let taken = 0; ; taken += 1) if (!budget.take()) return taken;
};

test('a person may send a hundred messages at once, then twenty a second, and never saves up more than a hundred', () => {
  const ana = budgets.of('ana', '192.0.2.1');
  expect(spent(ana)).toBe(100);
  now += 1_000;
  expect(spent(ana)).toBe(20);
  now += 60_000;
  expect(spent(ana)).toBe(100);
});

test('the sockets of a person share one budget, wherever they are; others have their own', () => {
  expect(spent(budgets.of('ana', '192.0.2.1'))).toBe(100);
  expect(spent(budgets.of('ana', '198.51.100.7'))).toBe(0);
  expect(spent(budgets.of('bob', '192.0.2.1'))).toBe(100);
});

test('the people of an address share two thousand messages at once, then four hundred a second', () => {
  const people = Array.from({ length: 30 }, (_, nth) => budgets.of(`guest-${nth}`, '192.0.2.1'));
  const total = (): number => people.reduce((sum, each) => sum + spent(each), 0);
  expect(total()).toBe(2_000);
  expect(spent(budgets.of('guest-0', '192.0.2.2'))).toBe(0);
  expect(spent(budgets.of('bob', '192.0.2.2'))).toBe(100);
  now += 1_000;
  expect(total()).toBe(400);
});

test('an expensive message leaves less for the next ones', () => {
  const ana = budgets.of('ana', '192.0.2.1');
  ana.charge(110);
  expect(spent(ana)).toBe(0);
  now += 500;
  expect(spent(ana)).toBe(0);
  now += 1_000;
  expect(spent(ana)).toBe(20);
});

test('forgetting those who have been quiet does not renew the budget of anybody else', () => {
  const ana = budgets.of('ana', '192.0.2.1');
  ana.charge(1_000);
  for (let nth = 0; nth < 3_000; nth += 1) budgets.of(`guest-${nth}`, `192.0.2.${nth}`).take();
  now += 10_000;
  for (let nth = 3_000; nth < 9_000; nth += 1) budgets.of(`guest-${nth}`, `192.0.2.${nth}`).take();
  expect(spent(ana)).toBe(0);
});
