import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { AnswerCache } from './answer-cache.js';

const NOTES = { name: 'notes_v1', indexes: [{ field: 'day' }] };

let stores: TestStores;
let answers: AnswerCache;
let position = 0;
let made: string[];

const write = async (id: string, text: string | null, collection = NOTES.name): Promise<void> => {
  position += 1;
  await stores.documents.save({
    projector: collection,
    checkpoint: position,
    writes: [{ collection, id, position, body: text === null ? null : { text, day: 1 } }],
  });
};
const textOf = async (id: string): Promise<string> => (await stores.reads.get<{ readonly text: string }>('notes', id))?.text ?? '';
/** An answer with the texts of some notes; `made` records each time it is made. */
const answerOf = async (key: string, ...ids: readonly string[]): Promise<unknown> => {
  const answer = await answers.getOrMake(key, async () => {
    made.push(key);
    return { texts: await Promise.all(ids.map(textOf)) };
  });
  return (JSON.parse(String((await answer.bytes(false)).bytes)) as { texts: unknown }).texts;
};

beforeEach(async () => {
  stores = await openTestStores();
  [answers, made, position] = [new AnswerCache(stores.reads), [], 0];
  await stores.documents.declare(NOTES);
  await write('a', 'tide');
  await write('b', 'ebb');
  stores.reads.serve([['notes', NOTES.name]]);
});
afterEach(() => stores.close());

test('an answer is made once as long as its documents do not change', async () => {
  for (const _ of [1, 2, 3]) expect(await answerOf('ab', 'a', 'b')).toEqual(['tide', 'ebb']);
  await write('c', 'flood');
  expect(await answerOf('ab', 'a', 'b')).toEqual(['tide', 'ebb']);
  expect(await answerOf('b', 'b')).toEqual(['ebb']);
  expect(made).toEqual(['ab', 'b']);
});

test('an answer is made again after each change of any of its documents, and cached again', async () => {
  await answerOf('ab', 'a', 'b');
  await write('b', 'slack');
  expect([await answerOf('ab', 'a', 'b'), await answerOf('ab', 'a', 'b')]).toEqual([
    ['tide', 'slack'],
    ['tide', 'slack'],
  ]);
  await write('a', null);
  expect(await answerOf('ab', 'a', 'b')).toEqual(['', 'slack']);
  expect(made).toEqual(['ab', 'ab', 'ab']);
});

test('an answer is made again when another generation of the read models is served, and refused when none is', async () => {
  await answerOf('a', 'a');
  await stores.documents.declare({ ...NOTES, name: 'notes_v2' });
  await write('a', 'rebuilt', 'notes_v2');
  stores.reads.serve([['notes', 'notes_v2']]);
  expect(await answerOf('a', 'a')).toEqual(['rebuilt']);
  stores.reads.withdraw(['notes']);
  await expect(answerOf('a', 'a')).rejects.toMatchObject({ code: 'store.away' });
});

test('an answer is made again when a document that was missing is added', async () => {
  expect([await answerOf('az', 'a', 'z'), await answerOf('az', 'a', 'z')]).toEqual([
    ['tide', ''],
    ['tide', ''],
  ]);
  await write('z', 'new');
  expect(await answerOf('az', 'a', 'z')).toEqual(['tide', 'new']);
  expect(made).toEqual(['az', 'az']);
});

test('an answer that depends on a search is made each time', async () => {
  const count = async (): Promise<string> =>
    String((await (await answers.getOrMake('found', async () => ({ notes: (await found()).length }))).bytes(false)).bytes);
  const found = (): Promise<readonly object[]> => stores.reads.find('notes', { where: { field: 'day', value: 1 } });
  expect(await count()).toBe('{"notes":2}');
  await write('z', 'new');
  expect(await count()).toBe('{"notes":3}');
});

test('an answer is refused once access is lost, and served again once access returns', async () => {
  let isAllowed = true;
  const request = (): Promise<unknown> =>
    answers.getOrMake('a', async () => {
      const text = await textOf('a');
      if (!isAllowed) throw new Error('not for you');
      return { text };
    });
  await request();
  isAllowed = false;
  await write('a', 'hidden');
  await expect(request()).rejects.toThrow('not for you');
  await expect(request()).rejects.toThrow('not for you');
  isAllowed = true;
  await expect(request()).resolves.toBeDefined();
});

test('an answer whose document changed while it was made is not cached', async () => {
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

test('nothing stays cached after clear', async () => {
  await answerOf('a', 'a');
  answers.clear();
  await answerOf('a', 'a');
  expect(made).toEqual(['a', 'a']);
});
