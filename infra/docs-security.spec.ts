import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { missingAmong, namedTestsIn, repository, titlesByFile, unknownAmong } from './named-tests.js';

const page = await readFile(`${repository}docs/security.md`, 'utf8');
/** The rows of all tables, without their heads. */
const rows = page.split('\n').filter((line, at, lines) => line.startsWith('| ') && lines[at + 1]?.startsWith('|-') !== true);
/** The last cell of a row; bars within a cell are escaped with a backslash. */
const shownBy = (row: string): string =>
  row
    .slice(2, -2)
    .split(/ (?<!\\)\| /)
    .at(-1) ?? '';
const named = rows.flatMap((row) => namedTestsIn(shownBy(row)));
/** A fault is one test, without titles. */
const isFault = (path: string): boolean => /^infra\/faults\/[\w-]+\.fault\.mjs$/.test(path);

/** The number of rows below a heading. */
const rowsBelow = (heading: string): number =>
  (page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '').split('\n').filter((line) => rows.includes(line)).length;

describe('docs/security.md', () => {
  test('names a test by file and title, or a fault, in every row', () => {
    const without = rows.filter((row) => {
      const tests = namedTestsIn(shownBy(row));
      return tests.length === 0 || tests.some(({ path, titles }) => (titles.length === 0) !== isFault(path));
    });
    expect(without).toEqual([]);
    expect(rows.length).toBeGreaterThan(150);
  });

  test('names existing paths', async () => {
    expect(await missingAmong(named.map(({ path }) => path))).toEqual([]);
  });

  test.each([...titlesByFile(named)])('quotes titles of tests in %s', async (path, titles) => {
    expect(await unknownAmong(titles, path)).toEqual([]);
  });

  test('has a row for each attack of the review, as many as it says', () => {
    const [, said] = /in (\d+) ways/.exec(page) ?? [];
    expect(rowsBelow('Findings of the review of November 2026') + rowsBelow('Attacks of the review that held')).toBe(Number(said));
  });
});
