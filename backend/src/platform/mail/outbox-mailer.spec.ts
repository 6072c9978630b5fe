import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { mailerContract } from './mailer.contract.js';
import { OutboxMailer } from './outbox-mailer.js';

const temporaryFolder = () => mkdtemp(join(tmpdir(), 'roughmix-outbox-'));
const from = 'Roughmix <mail@roughmix.example>';

const lettersIn = async (folder: string) => (await readdir(folder)).filter((name) => name !== '.tmp');

mailerContract('the outbox', async () => {
  const folder = await temporaryFolder();
  return {
    open: () => OutboxMailer.open({ folder, from }),
    received: async () => Promise.all((await lettersIn(folder)).map((name) => readFile(join(folder, name), 'utf8'))),
    remove: () => rm(folder, { recursive: true }),
  };
});

test('a letter is one file named by its key, for its owner alone, and its path is told once', async () => {
  const folder = await temporaryFolder();
  const paths: string[] = [];
  const mailer = await OutboxMailer.open({ folder: join(folder, 'outbox'), from, logPath: (path) => paths.push(path) });
  const letter = { to: 'ana@example.org', subject: 'One', text: 'first', key: 'reminder-1-ana' };
  await Promise.all([mailer.send(letter), mailer.send(letter)]);
  await mailer.send({ ...letter, text: 'second' });
  const path = join(folder, 'outbox', 'reminder-1-ana.eml');
  expect(await lettersIn(join(folder, 'outbox'))).toEqual(['reminder-1-ana.eml']);
  expect(await readdir(join(folder, 'outbox', '.tmp'))).toEqual([]);
  expect(paths).toEqual([path]);
  expect(await readFile(path, 'utf8')).toContain('first');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await mailer.close();
  await rm(folder, { recursive: true });
});
