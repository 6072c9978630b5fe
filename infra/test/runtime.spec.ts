import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';

const load = createRequire(import.meta.url);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runtime-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Loads a CommonJS file as a suite of its own does. */
function loadAnew(file: string): unknown {
  let loaded: unknown;
  jest.isolateModules(() => {
    loaded = load(file);
  });
  return loaded;
}

test('a file that is compiled once keeps nothing from one load to the next, and knows where it is', async () => {
  const file = join(folder, 'counter.cjs');
  await writeFile(file, 'let count = 0;\nmodule.exports = [++count, this === exports, typeof require, __dirname, __filename];\n');
  const expected = [1, true, 'function', folder, file];
  expect(loadAnew(file)).toEqual(expected);
  expect(loadAnew(file)).toEqual(expected);
});

test('a file that has changed is compiled again', async () => {
  const file = join(folder, 'changing.cjs');
  await writeFile(file, 'module.exports = 1;');
  expect(loadAnew(file)).toBe(1);
  await writeFile(file, 'module.exports = 2;');
  jest.resetModules();
  expect(loadAnew(file)).toBe(2);
});

test('an error names the line and the column', async () => {
  const file = join(folder, 'failing.cjs');
  await writeFile(file, 'module.exports = new Error("first line"); // and a comment');
  expect(loadAnew(file)).toHaveProperty('stack', expect.stringContaining(`${file}:1:18`));
});

test('import() in a shared file loads modules of the suite', async () => {
  const file = join(folder, 'importing.cjs');
  await writeFile(join(folder, 'imported.mjs'), 'export const words = "here";');
  await writeFile(file, 'module.exports = () => import("./imported.mjs");');
  const imported = (loadAnew(file) as () => Promise<{ words: string }>)();
  await expect(imported).resolves.toMatchObject({ words: 'here' });
});
