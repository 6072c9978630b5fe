import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { AnswerCache } from './answer-cache.js';

const NOTES = { name: 'notes_v1', indexes: [{ field: 'day' }] };

let ground: TestStores;
let answers: AnswerCache;
let position = 0;
let made: string[];

const write = async (id: string, text: string | null, collection = NOTES.name): Promise<void> => {
  position += 1;
  await ground.documents.save({
    projector: collection,
    checkpoint: position,
    writes: [{ collection, id, position, body: text === null ? null : { text, day: 1 } }],
  });
};
const textOf = async (id: string): Promise<string> => (await ground.reads.get<{ readonly text: string }>('notes', id))?.text ?? '';
/** The texts of some notes, as an answer of its own; `made` says how often it was made. */
const ask = async (key: string, ...ids: readonly string[]): Promise<unknown> => {
  const answer = await answers.getOrMake(key, async () => {
    made.push(key);
    return { texts: await Promise.all(ids.map(textOf)) };
  });
  return (JSON.parse(String((await answer.bytes(false)).bytes)) as { texts: unknown }).texts;
};

beforeEach(async () => {
  ground = await openTestStores();
  [answers, made, position] = [new AnswerCache(ground.reads), [], 0];
  await ground.documents.declare(NOTES);
  await write('a', 'tide');
  await write('b', 'ebb');
  ground.reads.serve([['notes', NOTES.name]]);
});
afterEach(() => ground.close());

test('an answer is made once while nothing that it was made of changes, whatever else does', async () => {
  for (const _ of [1, 2, 3]) expect(await ask('ab', 'a', 'b')).toEqual(['tide', 'ebb']);
  await write('c', 'flood');
  expect(await ask('ab', 'a', 'b')).toEqual(['tide', 'ebb']);
  expect(await ask('b', 'b')).toEqual(['ebb']);
  expect(made).toEqual(['ab', 'b']);
});

test('it is made anew after each change of any of its documents, and kept again', async () => {
  await ask('ab', 'a', 'b');
  await write('b', 'slack');
  expect([await ask('ab', 'a', 'b'), await ask('ab', 'a', 'b')]).toEqual([
    ['tide', 'slack'],
    ['tide', 'slack'],
  ]);
  await write('a', null);
  expect(await ask('ab', 'a', 'b')).toEqual(['', 'slack']);
  expect(made).toEqual(['ab', 'ab', 'ab']);
});

test('it is made anew when another generation of the read models is served, and refused when none is', async () => {
  await ask('a', 'a');
  await ground.documents.declare({ ...NOTES, name: 'notes_v2' });
  await write('a', 'rebuilt', 'notes_v2');
  ground.reads.serve([['notes', 'notes_v2']]);
  expect(await ask('a', 'a')).toEqual(['rebuilt']);
  ground.reads.withdraw(['notes']);
  await expect(ask('a', 'a')).rejects.toMatchObject({ code: 'store.away' });
});

test('that something is not there is a part of it: it is made anew as soon as it is', async () => {
  expect([await ask('az', 'a', 'z'), await ask('az', 'a', 'z')]).toEqual([
    ['tide', ''],
    ['tide', ''],
  ]);
  await write('z', 'new');
  expect(await ask('az', 'a', 'z')).toEqual(['tide', 'new']);
  expect(made).toEqual(['az', 'az']);
});

test('one that depends on a search is made each time', async () => {
  const count = async (): Promise<string> =>
    String((await (await answers.getOrMake('found', async () => ({ notes: (await found()).length }))).bytes(false)).bytes);
  const found = (): Promise<readonly object[]> => ground.reads.find('notes', { where: { field: 'day', value: 1 } });
  expect(await count()).toBe('{"notes":2}');
  await write('z', 'new');
  expect(await count()).toBe('{"notes":3}');
});

test('one that somebody may not have any more is refused, and given as it is when they may again', async () => {
  let isAllowed = true;
  const asked = (): Promise<unknown> =>
    answers.getOrMake('a', async () => {
      const text = await textOf('a');
      if (!isAllowed) throw new Error('not for you');
      return { text };
    });
  await asked();
  isAllowed = false;
  await write('a', 'hidden');
  await expect(asked()).rejects.toThrow('not for you');
  await expect(asked()).rejects.toThrow('not for you');
  isAllowed = true;
  await expect(asked()).resolves.toBeDefined();
});

test('one made while a document of it changed is not kept', async () => {
  const answer = (): Promise<unknown> =>
    answers.getOrMake('a', async () => {
      made.push('a');
      const text = await textOf('a');
      if (made.length === 1) await write('a', 'later');
      return { text };
    });
  await answer();
  await answer();
  await answer();
  expect(made).toEqual(['a', 'a']);
});

test('nothing is kept after it is told to forget', async () => {
  await ask('a', 'a');
  answers.clear();
  await ask('a', 'a');
  expect(made).toEqual(['a', 'a']);
});
