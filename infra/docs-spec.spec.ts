import { access, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const repository = fileURLToPath(new URL('..', import.meta.url));
const page = await readFile(`${repository}docs/spec.md`, 'utf8');

/** Every path on the page, with the test title that follows it. */
const named = [...page.matchAll(/`([^`]+)`(?: "([^"]+)")?/g)].map(([, path = '', title]) => ({ path, title }));

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
    return counted === undefined ? [] : [{ name: lines[0] ?? '', counted, rows: lines.filter((line) => /^\| \d+ \|/.test(line)) }];
  });

/** The cells of a row; bars within a cell are escaped with a backslash. */
const cellsOf = (row: string): readonly string[] => row.slice(2, -2).split(/ (?<!\\)\| /);

describe('docs/spec.md', () => {
  test('names existing paths', async () => {
    const paths = [...new Set(named.map(({ path }) => path))];
    const missing = await Promise.all(
      paths.map((path) =>
        access(repository + path).then(
          () => null,
          () => path,
        ),
      ),
    );
    expect(missing.filter((path) => path !== null)).toEqual([]);
    expect(paths.length).toBeGreaterThan(0);
  });

  test('quotes test titles that exist in the named files', async () => {
    const missing: string[] = [];
    for (const { path, title } of named) {
      if (title !== undefined && !(await readFile(repository + path, 'utf8')).includes(title)) missing.push(`${path}: ${title}`);
    }
    expect(missing).toEqual([]);
  });

  test('counts the rows of each group, and names code and test for each', () => {
    expect(groups.flatMap(({ name, counted, rows }) => (Number(/\d+/.exec(counted)?.[0]) === rows.length ? [] : [name]))).toEqual([]);
    const rows = groups.flatMap((group) => group.rows).map(cellsOf);
    expect(rows.filter(([, , where = '', shown = '']) => !where.startsWith('`') || !/^(`|no test yet$)/.test(shown))).toEqual([]);
    expect(new Set(rows.map(([number]) => number)).size).toBe(rows.length);
    expect(page).toContain(`${rows.length} of them are built so far`);
  });
});
