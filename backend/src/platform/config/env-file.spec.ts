import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { unreadEnvFile } from './env-file.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roughmix-env-'));
});
afterEach(() => rm(folder, { recursive: true }));

const TEXT = '# the port to listen on\nPORT=3090\nSMTP_URL="smtp://ana:secret@mail"\nDATA_DIR=\n# HOST=0.0.0.0\nEDITOR=vi\n';

test('a .env that nobody read is reported by the names of its variables, never their values', async () => {
  await writeFile(join(folder, '.env'), TEXT);
  expect(unreadEnvFile({}, folder)).toEqual([
    '.env is not read by itself, so PORT, SMTP_URL in it had no effect; start with node --env-file=.env backend/dist/main.js',
  ]);
});

test('nothing is reported without a .env, or when Node or a supervisor has read it', async () => {
  expect(unreadEnvFile({}, folder)).toEqual([]);
  await writeFile(join(folder, '.env'), TEXT);
  expect(unreadEnvFile({ PORT: '3090', SMTP_URL: '' }, folder)).toEqual([]);
});
