import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { missingAmong, namedTestsIn, repository, titlesByFile, unknownAmong } from './named-tests.js';

const page = await readFile(`${repository}docs/spec.md`, 'utf8');
const named = namedTestsIn(page);

interface Group {
  readonly name: string;
  readonly counted: string;
  readonly rows: readonly string[];
}

/** The groups of rows, by heading. */
const groups: readonly Group[] = page
  .split(/^## /m)
  .filter((text) => text.includes('built so far:'))
  .flatMap((text) => {
    const lines = text.split('\n');
    const counted = lines.find((line) => line.startsWith('built so far:'));
    return counted === undefined ? [] : [{ name: lines[0] ?? '', counted, rows: lines.filter((line) => /^\| \d/.test(line)) }];
  });

/** The cells of a row; bars within a cell are escaped with a backslash. */
const cellsOf = (row: string): readonly string[] => row.slice(2, -2).split(/ (?<!\\)\| /);

describe('docs/spec.md', () => {
  test('names existing paths', async () => {
    expect(await missingAmong(named.map(({ path }) => path))).toEqual([]);
    expect(named.length).toBeGreaterThan(0);
  });

  test.each([...titlesByFile(named)])('quotes titles of tests in %s', async (path, titles) => {
    expect(await unknownAmong(titles, path)).toEqual([]);
  });

  test('has deviations, which may be about several rows, in their own table alone', () => {
    const [, deviations = ''] = page.split('\n## Deviations, on purpose\n');
    const several = [...page.matchAll(/^\| \d+(?:, \d+)+ \|.*$/gm)].map(([line]) => line);
    expect(several.filter((line) => !deviations.split('\n## ')[0]?.includes(line))).toEqual([]);
    expect(several.filter((line) => cellsOf(line).length !== 3)).toEqual([]);
    expect(several).not.toEqual([]);
  });

  test('counts the rows of each group, and names code and test for each', () => {
    expect(groups.flatMap(({ name, counted, rows }) => (Number(/\d+/.exec(counted)?.[0]) === rows.length ? [] : [name]))).toEqual([]);
    const rows = groups.flatMap((group) => group.rows).map(cellsOf);
    expect(rows.filter((cells) => cells.length !== 4)).toEqual([]);
    expect(rows.filter(([, , where = '', shown = '']) => !where.startsWith('`') || !/^(`|no test yet$)/.test(shown))).toEqual([]);
    expect(new Set(rows.map(([number]) => number)).size).toBe(rows.length);
    expect(page).toContain(`${rows.length} of them are built so far`);
  });
});
