import { describe, expect, test } from '@jest/globals';
import { EXCEPTIONS, filesWithTellTales, pendingFiles, tellTalesIn } from './plain-words.mjs';

describe('the wording of code and docs', () => {
  const found = filesWithTellTales();

  test('uses no tell-tale phrase outside the files that are still to be reworded', () => {
    const pending = new Set(pendingFiles());
    const places = found
      .filter(({ path }) => !pending.has(path))
      .flatMap(({ path, places }) => places.map(({ line, found, instead }) => `${path}:${line}: "${found}"; better: ${instead}`));
    expect(places).toEqual([]);
  });

  test('the list of files to reword names only files that need it', () => {
    const paths = new Set(found.map(({ path }) => path));
    expect(pendingFiles().filter((path) => !paths.has(path))).toEqual([]);
  });
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
