import { beforeEach, describe, expect, test } from '@jest/globals';
import { KnownDocuments } from './known-documents.js';

let known: KnownDocuments;
const text = (word: string): string => JSON.stringify({ word, list: [{ deep: true }] });

beforeEach(() => {
  known = new KnownDocuments();
});

test('a document is cached as one decoded object by collection and id, and its absence is cached too', () => {
  const body = known.decode(1, 'a', text('tide'));
  expect(known.get(1, 'a')).toBe(body);
  expect([known.get(2, 'a'), known.get(1, 'b')]).toEqual([undefined, undefined]);
  expect([known.decode(1, 'b', null), known.get(1, 'b')]).toEqual([null, null]);
});

test('cached documents are deeply frozen', () => {
  const body = known.decode(1, 'a', text('tide')) as { word: string; list: [{ deep: boolean }, ...unknown[]] };
  expect(() => (body.word = 'ebb')).toThrow(TypeError);
  expect(() => (body.list[0].deep = false)).toThrow(TypeError);
  expect(() => body.list.push({ deep: true })).toThrow(TypeError);
});

describe('a document that is being written', () => {
  test('is not cached until its last concurrent write has ended, even if it is read meanwhile', async () => {
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

  test('can be cached again after a failed write', async () => {
    await expect(known.whileWritten([[1, 'a']], () => Promise.reject(new Error('full')))).rejects.toThrow('full');
    const body = known.decode(1, 'a', text('old'));
    expect(known.get(1, 'a')).toBe(body);
  });
});

test('the most recently used documents are kept up to the limit, and none after clearing', () => {
  const long = JSON.stringify({ word: 'la '.repeat(33_000) });
  for (let at = 0; at < 300; at += 1) known.decode(1, `n${at}`, long);
  // The newest first, because reading counts as use.
  const held = Array.from({ length: 300 }, (_, at) => known.get(1, `n${299 - at}`) !== undefined);
  expect(held.slice(0, 80)).toEqual(Array.from({ length: 80 }, () => true));
  expect(held.filter(Boolean).length).toBeLessThanOrEqual(162);
  known.clear();
  expect(known.get(1, 'n299')).toBeUndefined();
});
