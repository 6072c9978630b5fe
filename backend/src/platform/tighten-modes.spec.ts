import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { tightenModes } from './tighten-modes.js';

let folder: string;
let logged: object[];
const log = { warn: (facts: object): void => void logged.push(facts) };
const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

beforeEach(async () => {
  logged = [];
  folder = await mkdtemp(join(tmpdir(), 'roughmix-modes-'));
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'shared.wav'), '');
  for (const [name, mode] of [
    ['data', 0o755],
    ['shared.wav', 0o644],
  ] as const)
    await chmod(join(folder, name), mode);
});
afterEach(() => rm(folder, { recursive: true }));

test('a symbolic link in the data folder is left alone, and so is the file that it leads to', async () => {
  for (const [name, target] of [
    ['link', 'shared.wav'],
    ['broken', 'nothing'],
  ] as const)
    await symlink(join(folder, target), join(folder, 'data', name));
  await tightenModes(join(folder, 'data'), log);
  expect([await modeOf(join(folder, 'data')), await modeOf(join(folder, 'shared.wav'))]).toEqual(['700', '644']);
  expect(logged).toEqual([{ path: join(folder, 'data'), mode: '755' }]);
});

test('a data folder that a symbolic link leads to is closed', async () => {
  await symlink(join(folder, 'data'), join(folder, 'link'));
  await tightenModes(join(folder, 'link'), log);
  expect([await modeOf(join(folder, 'data')), logged]).toEqual(['700', [{ path: join(folder, 'data'), mode: '755' }]]);
});
