import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { INACTIVITY_MS, useInactivity } from './use-inactivity';

const ended: number[] = [];
let fails = false;

function Page() {
  const left = useInactivity(async () => {
    ended.push(Date.now());
    if (fails) throw new Error('offline');
  });
  return <p>{left === null ? 'active' : `${left} s left`}</p>;
}

beforeEach(() => {
  ended.length = 0;
  fails = false;
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => void jest.useRealTimers());

const pass = (ms: number) => act(async () => jest.advanceTimersByTimeAsync(ms));

test('after 300000 ms without activity the session ends, once', async () => {
  render(<Page />);
  await pass(299_999);
  expect(ended).toEqual([]);
  await pass(1);
  expect(ended).toEqual([300_000]);
  expect(INACTIVITY_MS).toBe(300_000);
  await pass(600_000);
  expect(ended).toEqual([300_000]);
});

test('the last 30 s are counted down', async () => {
  render(<Page />);
  await pass(269_000);
  expect(screen.getByText('active')).toBeInTheDocument();
  await pass(1_000);
  expect(screen.getByText('30 s left')).toBeInTheDocument();
  await pass(10_000);
  expect(screen.getByText('20 s left')).toBeInTheDocument();
});

test.each(['pointerDown', 'pointerMove', 'keyDown', 'input', 'wheel', 'touchStart'] as const)('%s starts the five minutes again', async (activity) => {
  render(<Page />);
  await pass(295_000);
  fireEvent[activity](document.body);
  expect(screen.getByText('active')).toBeInTheDocument();
  await pass(299_000);
  expect(ended).toEqual([]);
  await pass(1_000);
  expect(ended).toEqual([595_000]);
});

test('activity after a sleep of the machine comes too late', async () => {
  render(<Page />);
  jest.setSystemTime(INACTIVITY_MS + 1);
  fireEvent.pointerMove(document.body);
  await pass(0);
  expect(ended).toEqual([INACTIVITY_MS + 1]);
});

test('a sign-out that fails is repeated after 30 s', async () => {
  fails = true;
  render(<Page />);
  await pass(INACTIVITY_MS);
  fails = false;
  await pass(29_000);
  expect(ended).toEqual([300_000]);
  await pass(1_000);
  expect(ended).toEqual([300_000, 330_000]);
});

test('a page that is left signs nobody out', async () => {
  render(<Page />).unmount();
  await pass(INACTIVITY_MS);
  expect(ended).toEqual([]);
});
