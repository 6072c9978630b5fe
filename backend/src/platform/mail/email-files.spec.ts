import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { manualClock } from '../../testing/manual-clock.js';
import { type TemporaryVault, temporaryVault, withOverride } from '../../testing/temporary-vault.js';
import { RECORD_KINDS, settledRecord } from '../vault/record-kinds.js';
import { DELIVERY_TIMES, EmailDeliveryLoop } from './email-delivery-loop.js';
import { EmailQueue } from './email-queue.js';
import { OutboxMailer } from './outbox-mailer.js';

const content = { subject: 'Hello', text: 'Hello' };
const clock = manualClock();
const addressKey = Buffer.from('key');

let temporary: TemporaryVault;
let folder: string;
let mailer: OutboxMailer;
let emailQueue: EmailQueue;
let loop: EmailDeliveryLoop;
let logged: string[];

beforeEach(async () => {
  temporary = await temporaryVault();
  folder = await mkdtemp(join(tmpdir(), 'roughmix-outbox-'));
  mailer = await OutboxMailer.open({ folder, from: 'Roughmix <mail@roughmix.example>' });
  emailQueue = await EmailQueue.open({ vault: temporary.vault, clock: clock.now, addressKey, files: mailer.files });
  logged = [];
  const log = { info: () => undefined, error: (_facts: object, message: string) => logged.push(message) };
  loop = new EmailDeliveryLoop({ emailQueue, mailer, clock: clock.now, log, times: { ...DELIVERY_TIMES, poll: 5 } });
});
afterEach(async () => {
  await loop.stop();
  await mailer.close();
  await temporary.remove();
  await rm(folder, { recursive: true });
});

const files = async (): Promise<readonly string[]> => (await mailer.files.ids()).toSorted();
const delivered = async (): Promise<void> => {
  await loop.start();
  while ((await emailQueue.waiting()).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
};

test('forgetting a user and their address deletes the files and records of e-mails to and about them', async () => {
  await emailQueue.enqueue({ ...content, to: 'ana@example.org', key: 'by-address' });
  await emailQueue.enqueue({ ...content, to: 'old@example.org', key: 'by-uid' }, { uid: 'ana' });
  await emailQueue.enqueue({ ...content, to: 'support@example.org', key: 'about' }, { about: 'Ana@Example.org ' });
  await emailQueue.enqueue({ ...content, to: 'support@example.org', key: 'about-bob' }, { about: 'bob@example.org' });
  await delivered();
  expect(await files()).toEqual(['about', 'about-bob', 'by-address', 'by-uid']);
  expect(JSON.stringify(await temporary.vault.find('letters', {}))).not.toContain('@');
  await emailQueue.forget('ana', 'ana@example.org');
  expect(await files()).toEqual(['about-bob']);
  expect((await temporary.vault.find('letters', {})).map(({ id }) => id)).toEqual(['about-bob']);
});

test('forgetting an address also deletes the file of an e-mail that is delivered at the same time', async () => {
  await emailQueue.enqueue({ ...content, to: 'ana@example.org', key: 'overtaken' });
  const vault = withOverride(temporary.vault, 'removeWhere', async (collection, field, value) => {
    await delivered();
    return temporary.vault.removeWhere(collection, field, value);
  });
  const erasing = await EmailQueue.open({ vault, clock: clock.now, addressKey, files: mailer.files });
  await erasing.forget(null, 'ana@example.org');
  expect([await files(), await temporary.vault.find('letters', {})]).toEqual([[], []]);
});

test('a file whose e-mail another process deleted is deleted by the next sweep, and so is one delivered meanwhile', async () => {
  await emailQueue.enqueue({ ...content, to: 'ana@example.org', key: 'first' });
  await emailQueue.enqueue({ ...content, to: 'bob@example.org', key: 'second' });
  await delivered();
  const elsewhere = await EmailQueue.open({ vault: temporary.vault, clock: clock.now, addressKey, files: null });
  await elsewhere.forget(null, 'ana@example.org');
  await emailQueue.sweep();
  expect(await files()).toEqual(['second']);

  await loop.stop();
  await emailQueue.enqueue({ ...content, to: 'ana@example.org', key: 'third' });
  const [waiting] = (await emailQueue.waiting()).map((each) => emailQueue.open(each) ?? undefined);
  if (waiting === undefined) throw new Error('no e-mail waits');
  await mailer.send({ ...content, to: 'ana@example.org', key: 'third', date: clock.now() });
  await elsewhere.forget(null, 'ana@example.org');
  await emailQueue.replace(waiting, { state: 'sent', uid: null, endedAt: clock.now() });
  expect(await files()).toEqual(['second']);
});

test('an e-mail whose link has expired is not sent, nor is a cancelled one', async () => {
  await emailQueue.enqueue({ ...content, to: 'ana@example.org', key: 'late', expiresAt: clock.now() + 60_000 });
  await emailQueue.enqueue({ ...content, to: 'ana@example.org', key: 'cancelled' });
  await emailQueue.cancel('cancelled');
  clock.move(60_000);
  await delivered();
  expect(await files()).toEqual([]);
  expect((await emailQueue.status()).undelivered).toMatchObject([{ letter: 'late', reason: 'its link has expired: it was not tried in time' }]);
});

test('an e-mail that was delivered is not withdrawn', async () => {
  await emailQueue.enqueue({ ...content, to: 'ana@example.org', key: 'sent' });
  await delivered();
  await emailQueue.cancel('sent');
  expect((await temporary.vault.find('letters', {})).map(({ id }) => id)).toEqual(['sent']);
});

test('a restored copy sends nothing again: what waited when it was made is given up, without its text', async () => {
  await emailQueue.enqueue({ ...content, text: 'a secret link', to: 'ana@example.org', key: 'waiting' }, { uid: 'ana' });
  for (const { id, body } of await temporary.vault.find('letters', {})) {
    const settled = settledRecord({ kind: 'letters', id, body }, { position: 0, restoredAt: clock.now() }, RECORD_KINDS);
    await temporary.vault.put('letters', id, settled ?? {});
  }
  expect(JSON.stringify(await temporary.vault.find('letters', {}))).not.toContain('a secret link');
  await emailQueue.enqueue({ ...content, to: 'ana@example.org', key: 'waiting' }, { uid: 'ana' });
  await delivered();
  expect(await readdir(folder)).toEqual(['.tmp']);
  expect((await emailQueue.status()).undelivered).toMatchObject([{ letter: 'waiting', to: 'ana@example.org', endedAt: clock.now() }]);
  await emailQueue.forget('ana', null);
  expect(await temporary.vault.find('letters', {})).toEqual([]);
});
