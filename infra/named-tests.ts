import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { testTitlesIn } from './test-titles.js';

export const repository = fileURLToPath(new URL('..', import.meta.url));

/** A path in backticks on a page of docs, and the titles of tests quoted after it. */
export interface NamedTests {
  readonly path: string;
  readonly titles: readonly string[];
}

export const namedTestsIn = (text: string): readonly NamedTests[] =>
  [...text.matchAll(/`([^`]+)`((?: "[^"]+"(?:, "[^"]+")*)?)/g)].map(([, path = '', quoted = '']) => ({
    path,
    titles: [...quoted.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title),
  }));

/** The quoted titles, by the file that they should be in. */
export function titlesByFile(named: readonly NamedTests[]): ReadonlyMap<string, ReadonlySet<string>> {
  const quoted = new Map<string, Set<string>>();
  for (const { path, titles } of named) {
    const known = quoted.get(path) ?? new Set();
    for (const title of titles) quoted.set(path, known.add(title));
  }
  return quoted;
}

/** Those of the paths that do not exist. */
export async function missingAmong(paths: Iterable<string>): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const path of new Set(paths)) await access(repository + path).catch(() => missing.push(path));
  return missing;
}

/** Those of the titles that no test of a file has. */
export async function unknownAmong(titles: ReadonlySet<string>, path: string): Promise<readonly string[]> {
  const known = await testTitlesIn(repository + path);
  return [...titles].filter((title) => !known.has(title));
}
