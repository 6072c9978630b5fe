import { describe, expect, test } from '@jest/globals';
import { setImmediate as settled } from 'node:timers/promises';
import { FairQueue, type FairQueueLimits } from './fair-queue.js';
import { Newcomers } from './newcomers.js';

/** A queue whose calls end on request. Names are a person and a number: `a1`. */
function queueOf(limits: FairQueueLimits) {
  const queue = new FairQueue(limits);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const outcomes = new Map<string, string>();
  const call = (name: string): void => {
    const work = async (): Promise<string> => {
      started.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return 'done';
    };
    const note = (outcome: string): void => void outcomes.set(name, outcome);
    queue.run(name.slice(0, 1), work).then(note, (error: { readonly code: string }) => note(error.code));
  };
  return {
    outcomes,
    /** Calls in this order, and returns what runs or has run. */
    after: async (...names: readonly string[]): Promise<readonly string[]> => {
      names.forEach(call);
      await settled();
      return [...started];
    },
    /** Ends a running call, and returns what runs or has run. */
    ending: async (name: string): Promise<readonly string[]> => {
      ends.get(name)?.();
      await settled();
      return [...started];
    },
  };
}

describe('a fair queue', () => {
  test('runs at most its limit at once, and one person in order', async () => {
    const { after, ending } = queueOf({ running: 2 });
    expect(await after('a1', 'a2', 'a3', 'a4')).toEqual(['a1', 'a2']);
    expect(await ending('a2')).toEqual(['a1', 'a2', 'a3']);
    expect(await ending('a1')).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  test('serves a person who comes last after the call that runs, however many wait before', async () => {
    const { after, ending } = queueOf({ running: 1 });
    await after('a1', 'a2', 'a3', 'b1', 'b2', 'c1');
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) await ending(name);
    expect(await ending('a3')).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  test('keeps a slot for others where one person may not take them all', async () => {
    const { after, ending } = queueOf({ running: 2, runningPerPerson: 1 });
    expect(await after('a1', 'a2', 'b1')).toEqual(['a1', 'b1']);
    expect(await ending('b1')).toEqual(['a1', 'b1']);
    expect(await ending('a1')).toEqual(['a1', 'b1', 'a2']);
  });

  test('keeps a slot for people who have not called for a minute, even if others wait', async () => {
    let now = 0;
    const { after, ending } = queueOf({ running: 2, runningPerPerson: 1, newcomers: new Newcomers(60_000, () => now) });
    // One person never takes both slots, two do at first.
    expect(await after('a1', 'a2', 'b1', 'b2')).toEqual(['a1', 'b1']);
    expect(await ending('a1')).toEqual(['a1', 'b1']);
    expect(await after('c1')).toEqual(['a1', 'b1', 'c1']);
    await ending('c1');
    expect(await ending('b1')).toEqual(['a1', 'b1', 'c1', 'a2']);
    now = 60_000;
    expect(await after('c2')).toEqual(['a1', 'b1', 'c1', 'a2', 'c2']);
    await ending('c2');
    expect(await ending('a2')).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'b2']);
  });

  test('refuses a call at once when its person has too many waiting, or all have', async () => {
    const { after, ending, outcomes } = queueOf({ running: 1, waiting: 3, waitingPerPerson: 2, refusal: 'upload.busy' });
    await after('a1', 'a2', 'a3', 'a4', 'b1', 'c1');
    expect([...outcomes]).toEqual([
      ['a4', 'upload.busy'],
      ['c1', 'upload.busy'],
    ]);
    await ending('a1');
    expect(await after('c2')).toEqual(['a1', 'b1']);
    for (const name of ['b1', 'a2', 'c2']) await ending(name);
    expect(await ending('a3')).toEqual(['a1', 'b1', 'a2', 'c2', 'a3']);
  });

  test('refuses a call that waits too long, and the others still run', async () => {
    const queue = new FairQueue({ running: 1, waitMs: 1 });
    let end = (): void => undefined;
    const first = queue.run('a', () => new Promise<void>((resolve) => (end = resolve)));
    await expect(queue.run('b', () => Promise.resolve())).rejects.toMatchObject({ code: 'store.busy' });
    end();
    await first;
    expect(await queue.run('b', () => Promise.resolve('mine'))).toBe('mine');
  });

  test('goes on after a call that failed', async () => {
    const queue = new FairQueue({ running: 1 });
    const failing = queue.run('a', () => Promise.reject(new Error('broken')));
    const next = queue.run('a', () => Promise.resolve('next'));
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('next');
  });
});
