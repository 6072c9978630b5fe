import { describe, expect, test } from '@jest/globals';
import { EXCEPTIONS, filesWithTellTales, tellTalesIn } from './plain-words.mjs';

interface FileWithTellTales {
  readonly path: string;
  readonly places: readonly { readonly line: number; readonly found: string; readonly instead: string }[];
}

test('code and docs use no phrase that reads as translated', () => {
  const files: readonly FileWithTellTales[] = filesWithTellTales();
  expect(files.flatMap(({ path, places }) => places.map(({ line, found, instead }) => `${path}:${line}: "${found}"; better: ${instead}`))).toEqual([]);
});

describe('a tell-tale phrase', () => {
  test.each([
    ['Whoever asks', 1],
    ['it is\n * told about', 1],
    ['is told apart from', 0],
    ['nine octets of it', 1],
    ['application/octet-stream', 0],
    ['as long as the page is open', 0],
    ['as long at a time is waited', 1],
    ['a plain sentence about bytes and users', 0],
  ])('is found in %j %i times', (text, times) => {
    expect(tellTalesIn(text).length).toBe(times);
  });

  test('is allowed only with a reason', () => {
    expect(EXCEPTIONS.filter(({ reason }) => reason.length === 0)).toEqual([]);
  });
});
