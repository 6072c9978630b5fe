import { jest } from '@jest/globals';
import { act } from '@testing-library/react';

const tick = setTimeout;
const TICK_MS = 5;
const LIMIT_MS = 10_000;

/** Stops the timers and the date of the page: only {@link pass} lets time go on. Requests are still answered. End it with `jest.useRealTimers()`. */
export const stopClock = (): void => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] });

/** Lets exactly this time pass. */
export const pass = (ms: number): void =>
  act(() => {
    jest.advanceTimersByTime(ms);
  });

/** Waits until `check` no longer throws, for example for a response, while the clock stands still. */
export async function meanwhile(check: () => void): Promise<void> {
  const since = performance.now();
  for (;;) {
    await act(async () => {
      await new Promise((resolve) => void tick(resolve, TICK_MS));
      // What was put off to the next task, as the query cache does with its news, is due without any time passing.
      jest.advanceTimersByTime(0);
    });
    try {
      return check();
    } catch (error) {
      if (performance.now() - since > LIMIT_MS) throw error;
    }
  }
}
