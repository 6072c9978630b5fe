import { expect, test } from '@jest/globals';
import { Refused } from '../../kernel/refusal.js';
import { ReadSide } from './read-side.js';
import { retryWhileReadModelsLag } from './retry-while-lagging.js';

/** Writes, then waits for read models that lag for this many attempts. */
function lagging(tries: number) {
  const readSide = new ReadSide(undefined, 1);
  let tried = 0;
  const write = async (): Promise<number> => {
    tried += 1;
    if (tried > tries) readSide.serve(1);
    await readSide.waitFor(1);
    return tried;
  };
  return { write, tried: () => tried };
}

test('work refused because the read models lag succeeds once they have caught up', async () => {
  expect(await retryWhileReadModelsLag(lagging(3).write)).toBe(4);
});

test('work is refused when the read models never catch up', async () => {
  const { write, tried } = lagging(100);
  await expect(retryWhileReadModelsLag(write, 5)).rejects.toMatchObject({ code: 'store.away' });
  expect(tried()).toBe(5);
});

test.each([new Refused('user.not-found'), new Error('broken')])('work that fails for another reason (%s) is not retried', async (error) => {
  let tried = 0;
  const work = (): Promise<never> => {
    tried += 1;
    return Promise.reject(error);
  };
  await expect(retryWhileReadModelsLag(work)).rejects.toBe(error);
  expect(tried).toBe(1);
});
