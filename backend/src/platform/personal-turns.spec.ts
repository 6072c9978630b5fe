import { expect, test } from '@jest/globals';
import { PersonalTurns } from './personal-turns.js';

test('each person has one piece of work at a time, in order, even after a failure; others do not wait', async () => {
  const turns = new PersonalTurns();
  const done: string[] = [];
  let release: () => void = () => undefined;
  const first = turns.run('ana', () => new Promise<void>((resolve) => (release = resolve)).then(() => void done.push('first')));
  const failing = turns.run('ana', () => Promise.reject(new Error('no')));
  const last = turns.run('ana', () => Promise.resolve(done.push('last')));
  await turns.run('bob', () => Promise.resolve(done.push('bob')));
  expect(done).toEqual(['bob']);
  release();
  await first;
  await expect(failing).rejects.toThrow('no');
  await last;
  expect(done).toEqual(['bob', 'first', 'last']);
});
