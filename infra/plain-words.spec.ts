import { describe, expect, test } from '@jest/globals';
import { EXCEPTIONS, filesWithTellTales, pendingFiles, tellTalesIn } from './plain-words.mjs';

interface FileWithTellTales {
  readonly path: string;
  readonly places: readonly { readonly line: number; readonly found: string; readonly instead: string }[];
}

describe('the wording of code and docs', () => {
  const files: readonly FileWithTellTales[] = filesWithTellTales();

  test('uses no tell-tale phrase outside the files that are still to be reworded', () => {
    const pending = new Set(pendingFiles());
    const unexpected = files
      .filter(({ path }) => !pending.has(path))
      .flatMap(({ path, places }) => places.map(({ line, found, instead }) => `${path}:${line}: "${found}"; better: ${instead}`));
    expect(unexpected).toEqual([]);
  });

  test('is still to be improved in every file on the list of pending files', () => {
    const paths = new Set(files.map(({ path }) => path));
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
