import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const repository = fileURLToPath(new URL('..', import.meta.url));
const page = await readFile(`${repository}docs/security.md`, 'utf8');

test('every row of docs/security.md names an existing test by file and title', async () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Tried'));
  const missing: string[] = [];
  for (const row of rows) {
    const named = [...row.matchAll(/`((?:backend|infra|frontend|contracts)\/[^`]+)` "([^"]+)"/g)];
    if (named.length === 0) missing.push(`no test: ${row}`);
    for (const [, path = '', title = ''] of named) {
      const text = await readFile(repository + path, 'utf8').catch(() => '');
      if (!text.includes(title)) missing.push(`${path}: ${title}`);
    }
  }
  expect(missing).toEqual([]);
  expect(rows.length).toBeGreaterThan(30);
});
