import { access, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const repository = fileURLToPath(new URL('..', import.meta.url));
const page = await readFile(`${repository}docs/spec.md`, 'utf8');

/** Every path that the page names, with the titles of tests that follow it there. */
const named = [...page.matchAll(/`([^`]+)`(?: "([^"]+)")?/g)].map(([, path = '', title]) => ({ path, title }));

interface Group {
  readonly name: string;
  readonly told: string;
  readonly rows: readonly string[];
}

/** The groups of rows, by their headings. */
const groups: readonly Group[] = page
  .split(/^## /m)
  .filter((text) => text.includes('built so far:'))
  .flatMap((text) => {
    const lines = text.split('\n');
    const told = lines.find((line) => line.startsWith('built so far:'));
    return told === undefined ? [] : [{ name: lines[0] ?? '', told, rows: lines.filter((line) => /^\| \d+ \|/.test(line)) }];
  });

/** The cells of a row; a bar within one is written with a backslash. */
const cellsOf = (row: string): readonly string[] => row.slice(2, -2).split(/ (?<!\\)\| /);

describe('docs/spec.md', () => {
  test('names paths that are there', async () => {
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

  test('quotes titles that stand in the files it names', async () => {
    const missing: string[] = [];
    for (const { path, title } of named) {
      if (title !== undefined && !(await readFile(repository + path, 'utf8')).includes(title)) missing.push(`${path}: ${title}`);
    }
    expect(missing).toEqual([]);
  });

  test('counts the rows of each group, and says of each where it is and what shows it', () => {
    expect(groups.flatMap(({ name, told, rows }) => (Number(/\d+/.exec(told)?.[0]) === rows.length ? [] : [name]))).toEqual([]);
    const rows = groups.flatMap((group) => group.rows).map(cellsOf);
    expect(rows.filter(([, , where = '', shown = '']) => !where.startsWith('`') || !/^(`|no test yet$)/.test(shown))).toEqual([]);
    expect(new Set(rows.map(([number]) => number)).size).toBe(rows.length);
    expect(page).toContain(`${rows.length} of them are built so far`);
  });
});
