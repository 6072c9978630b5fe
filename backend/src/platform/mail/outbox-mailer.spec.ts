import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
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

test('an e-mail is one file named by its time and key, readable by its owner only; its path is logged once', async () => {
  const folder = await temporaryFolder();
  const paths: string[] = [];
  const mailer = await OutboxMailer.open({ folder: join(folder, 'outbox'), from, logPath: (path) => paths.push(path) });
  const email = { to: 'ana@example.org', subject: 'One', text: 'first', key: 'reminder-1-ana', date: 1_700_000_000_000 };
  await Promise.all([mailer.send(email), mailer.send(email)]);
  await mailer.send({ ...email, text: 'second' });
  const path = join(folder, 'outbox', '1700000000000-reminder-1-ana.eml');
  expect(await filesIn(join(folder, 'outbox'))).toEqual(['1700000000000-reminder-1-ana.eml']);
  expect(await readdir(join(folder, 'outbox', '.tmp'))).toEqual([]);
  expect(paths).toEqual([path]);
  expect(await readFile(path, 'utf8')).toContain('first');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await mailer.close();
  await rm(folder, { recursive: true });
});

test('files are found by the ids of their e-mails, and those older than seven days are deleted', async () => {
  const folder = await temporaryFolder();
  const mailer = await OutboxMailer.open({ folder, from });
  const now = Date.now();
  const day = 24 * 60 * 60_000;
  for (const key of ['one', 'two', 'one-two']) await mailer.send({ to: 'ana@example.org', subject: 'One', text: 'first', key, date: now });
  await writeFile(join(folder, 'of-an-earlier-version.eml'), '');
  await utimes(join(folder, 'of-an-earlier-version.eml'), new Date(now - 7 * day - 1_000), new Date(now - 7 * day - 1_000));
  expect((await mailer.files.ids()).toSorted()).toEqual(['one', 'one-two', 'two']);
  await mailer.files.remove(['two', 'unknown']);
  await mailer.files.sweep(Date.now());
  expect((await filesIn(folder)).toSorted()).toEqual([`${now}-one-two.eml`, `${now}-one.eml`]);
  await mailer.files.sweep(Date.now() + 7 * day + 1_000);
  expect(await filesIn(folder)).toEqual([]);
  await mailer.close();
  await rm(folder, { recursive: true });
});
