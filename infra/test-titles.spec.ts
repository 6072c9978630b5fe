import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testTitlesIn } from './test-titles.js';

const SOURCE = `
const onServer = url === '' ? test.skip : test;
const rows: readonly Row[] = [['a row', 1, () => 'code'], [named, 2]];
// test('in a comment', () => undefined);
describe('a group', () => {
  test('a test', () => expect('only data').toBe('more data'));
  test.each<Row>([...rows, ['another row', 3]] as const)('%s is %d', (what) => run(what));
  test.each([['x', 'not shown']])('the title %j', (what) => run(what));
});
(isBuilt ? describe : describe.skip)('a group that may be skipped', () => undefined);
onServer(\`a test on a server, \${name}\`, () => undefined);
run('a call');
`;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'titles-'));
  await writeFile(join(folder, 'a.spec.ts'), SOURCE);
});
afterAll(() => rm(folder, { recursive: true }));

test('titles are those of tests and groups, as written and as the rows of a table complete them; nothing else in the file is one', async () => {
  expect([...(await testTitlesIn(join(folder, 'a.spec.ts')))].toSorted()).toEqual(
    [
      'a group',
      'a test',
      '%s is %d',
      'a row is 1',
      'another row is 3',
      'the title %j',
      'the title "x"',
      'a group that may be skipped',
      'a test on a server, ${name}',
    ].toSorted(),
  );
});
