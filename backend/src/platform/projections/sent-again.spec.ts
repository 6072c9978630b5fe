import { expect, test } from '@jest/globals';
import { Refused } from '../../kernel/refusal.js';
import { ReadSide } from './read-side.js';
import { sentAgain } from './sent-again.js';

/** Writes once, and is held until the read models have it: they lag for so many tries. */
function lagging(tries: number) {
  const readSide = new ReadSide(undefined, 1);
  let tried = 0;
  const write = async (): Promise<number> => {
    tried += 1;
    if (tried > tries) readSide.serve(1);
    await readSide.hold(1);
    return tried;
  };
  return { write, tried: () => tried };
}

test('what is put off because the read models lag is done when they have come', async () => {
  expect(await sentAgain(lagging(3).write)).toBe(4);
});

test('it is given up when they never come', async () => {
  const { write, tried } = lagging(100);
  await expect(sentAgain(write, 5)).rejects.toMatchObject({ code: 'store.away' });
  expect(tried()).toBe(5);
});

test.each([new Refused('user.not-found'), new Error('broken')])('what fails for another reason (%s) is not done again', async (error) => {
  let tried = 0;
  const work = (): Promise<never> => {
    tried += 1;
    return Promise.reject(error);
  };
  await expect(sentAgain(work)).rejects.toBe(error);
  expect(tried).toBe(1);
});
