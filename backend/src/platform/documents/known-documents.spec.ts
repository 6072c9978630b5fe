import { beforeEach, describe, expect, test } from '@jest/globals';
import { KnownDocuments } from './known-documents.js';

let known: KnownDocuments;
const text = (word: string): string => JSON.stringify({ word, list: [{ deep: true }] });

beforeEach(() => {
  known = new KnownDocuments();
});

test('a document is known as the one object it was decoded to, by its collection and id; that there is none is known too', () => {
  const body = known.decode(1, 'a', text('tide'));
  expect(known.get(1, 'a')).toBe(body);
  expect([known.get(2, 'a'), known.get(1, 'b')]).toEqual([undefined, undefined]);
  expect([known.decode(1, 'b', null), known.get(1, 'b')]).toEqual([null, null]);
});

test('nobody can change what others hold, however deep', () => {
  const body = known.decode(1, 'a', text('tide')) as { word: string; list: [{ deep: boolean }, ...unknown[]] };
  expect(() => (body.word = 'ebb')).toThrow(TypeError);
  expect(() => (body.list[0].deep = false)).toThrow(TypeError);
  expect(() => body.list.push({ deep: true })).toThrow(TypeError);
});

describe('a document that is being written', () => {
  test('is not known from before until the last of its writes has ended, whoever reads it meanwhile', async () => {
    known.decode(1, 'a', text('old'));
    known.decode(1, 'b', text('other'));
    const ends: (() => void)[] = [];
    const writes = [0, 1].map(() => known.whileWritten([[1, 'a']], () => new Promise<void>((end) => ends.push(end))));
    expect([known.get(1, 'a'), known.get(1, 'b')]).toEqual([undefined, expect.objectContaining({ word: 'other' })]);
    known.decode(1, 'a', text('old'));
    expect(known.get(1, 'a')).toBeUndefined();
    ends[0]?.();
    await writes[0];
    known.decode(1, 'a', text('middle'));
    expect(known.get(1, 'a')).toBeUndefined();
    ends[1]?.();
    await writes[1];
    expect(known.get(1, 'a')).toBeUndefined();
    const body = known.decode(1, 'a', text('new'));
    expect(known.get(1, 'a')).toBe(body);
  });

  test('may be known again after a write that failed', async () => {
    await expect(known.whileWritten([[1, 'a']], () => Promise.reject(new Error('full')))).rejects.toThrow('full');
    const body = known.decode(1, 'a', text('old'));
    expect(known.get(1, 'a')).toBe(body);
  });
});

test('what was used last stays within its room, and nothing after clearing', () => {
  const long = JSON.stringify({ word: 'la '.repeat(33_000) });
  for (let at = 0; at < 300; at += 1) known.decode(1, `n${at}`, long);
  // The newest first: asking counts as a use.
  const held = Array.from({ length: 300 }, (_, at) => known.get(1, `n${299 - at}`) !== undefined);
  expect(held.slice(0, 80)).toEqual(Array.from({ length: 80 }, () => true));
  expect(held.filter(Boolean).length).toBeLessThanOrEqual(162);
  known.clear();
  expect(known.get(1, 'n299')).toBeUndefined();
});
