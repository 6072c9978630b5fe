import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { foldHash, hashOfModules } from './fold-hash.js';

let folder: string;
const plant = async (file: string, text: string): Promise<void> => {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
};
const hash = (): string => hashOfModules(pathToFileURL(`${folder}/`));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roughmix-folds-'));
  await plant(
    'notes/note.decider.js',
    "import { folds } from './note.folds.js';\nimport { refuse } from '../kernel/refusal.js';\nexport const a = [folds, refuse];\n",
  );
  await plant('notes/note.folds.js', "import { LIMITS } from '../limits.js';\nimport { inspect } from 'node:util';\nexport const folds = [LIMITS, inspect];\n");
  await plant('notes/notes.slice.js', "export const upcasters = ['v2'];\nexport const load = () => import('./notes.module.js');\n");
  await plant('notes/notes.module.js', 'export const parts = 1;\n');
  await plant('kernel/refusal.js', "import { folds } from '../notes/note.folds.js';\nexport const refuse = folds;\n");
  await plant('limits.js', 'export const LIMITS = 1;\n');
});
afterEach(() => rm(folder, { recursive: true }));

test.each([
  ['a decider', 'notes/note.decider.js'],
  ['what it imports', 'notes/note.folds.js'],
  ['what that imports', 'limits.js'],
  ['an upcaster', 'notes/notes.slice.js'],
])('changes with %s', async (_what, file) => {
  const before = hash();
  expect(hash()).toBe(before);
  await plant(file, 'export const changed = 1;\n');
  expect(hash()).not.toBe(before);
});

test('changes with a new decider', async () => {
  const before = hash();
  await plant('todos/todo.decider.js', 'export const todos = 1;\n');
  expect(hash()).not.toBe(before);
});

test('does not change with code that folds nothing', async () => {
  const before = hash();
  await plant('notes/notes.module.js', 'export const parts = 2;\n');
  await plant('notes/notes.controller.js', 'export const controller = 1;\n');
  expect(hash()).toBe(before);
});

test('identifies this program', () => {
  expect(foldHash()).toMatch(/^[\da-f]{16}$/);
});
