import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { mailerContract } from './mailer.contract.js';
import { OutboxMailer } from './outbox-mailer.js';

const temporaryFolder = () => mkdtemp(join(tmpdir(), 'roughmix-outbox-'));
const from = 'Roughmix <mail@roughmix.example>';

const filesIn = async (folder: string) => (await readdir(folder)).filter((name) => name !== '.tmp');

mailerContract('the outbox', async () => {
  const folder = await temporaryFolder();
  return {
    open: () => OutboxMailer.open({ folder, from }),
    received: async () => Promise.all((await filesIn(folder)).map((name) => readFile(join(folder, name), 'utf8'))),
    remove: () => rm(folder, { recursive: true }),
  };
});

test('an e-mail is one file named by its key, readable by its owner only; its path is logged once', async () => {
  const folder = await temporaryFolder();
  const paths: string[] = [];
  const mailer = await OutboxMailer.open({ folder: join(folder, 'outbox'), from, logPath: (path) => paths.push(path) });
  const email = { to: 'ana@example.org', subject: 'One', text: 'first', key: 'reminder-1-ana' };
  await Promise.all([mailer.send(email), mailer.send(email)]);
  await mailer.send({ ...email, text: 'second' });
  const path = join(folder, 'outbox', 'reminder-1-ana.eml');
  expect(await filesIn(join(folder, 'outbox'))).toEqual(['reminder-1-ana.eml']);
  expect(await readdir(join(folder, 'outbox', '.tmp'))).toEqual([]);
  expect(paths).toEqual([path]);
  expect(await readFile(path, 'utf8')).toContain('first');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await mailer.close();
  await rm(folder, { recursive: true });
});
