import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { withOverride, temporaryVault, type TemporaryVault } from '../../testing/temporary-vault.js';
import { EmailQueue } from '../mail/email-queue.js';
import { ServiceUnavailable } from '../store-errors.js';
import { Metrics } from './metrics.js';
import { collectEmails } from './collect-emails.js';

const NOW = Date.now();
const MINUTE = 60_000;

let temporary: TemporaryVault;
let isUnavailable: boolean;
let now: number;
let emailQueue: EmailQueue;
let metrics: Metrics;
beforeEach(async () => {
  temporary = await temporaryVault();
  [isUnavailable, now] = [false, NOW];
  const vault = withOverride(temporary.vault, 'find', (...query) =>
    isUnavailable ? Promise.reject(new ServiceUnavailable('away')) : temporary.vault.find(...query),
  );
  emailQueue = await EmailQueue.open({ vault, clock: () => now, addressKey: Buffer.from('key'), files: null });
  metrics = new Metrics({ version: 'spec', commit: null });
});
afterEach(() => temporary.remove());

const send = (key: string): Promise<string> => emailQueue.enqueue({ to: `${key}@example.org`, subject: 'Hello', text: 'Hello', key });

/** The metrics of e-mails, one line each. */
async function lines(): Promise<readonly string[]> {
  await collectEmails(emailQueue, metrics);
  return (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('roughmix_letters'));
}

test('waiting and undelivered e-mails are counted, with the age of the oldest waiting one', async () => {
  expect(await lines()).toEqual(['roughmix_letters{state="waiting"} 0', 'roughmix_letters{state="undelivered"} 0', 'roughmix_letters_waiting_seconds 0']);
  now = NOW - 10 * MINUTE;
  await send('first');
  await send('gone');
  now = NOW;
  await send('second');
  const [gone = null] = (await emailQueue.waiting()).map((each) => emailQueue.open(each)).filter((each) => each?.body.key === 'gone');
  if (gone === null) throw new Error('no e-mail is waiting');
  const { to, address, uid, writtenAt } = gone.body;
  await emailQueue.replace(gone, { state: 'undelivered', to, address, uid, writtenAt, endedAt: NOW, tries: 3, reason: 'no such address' });
  const [waiting, undelivered, seconds] = await lines();
  expect([waiting, undelivered]).toEqual(['roughmix_letters{state="waiting"} 2', 'roughmix_letters{state="undelivered"} 1']);
  expect(Math.floor(Number(seconds?.split(' ')[1]) / 60)).toBe(10);
});

test('while the vault is unavailable the metrics are absent, not zero', async () => {
  await send('first');
  isUnavailable = true;
  expect(await lines()).toEqual([]);
  isUnavailable = false;
  expect((await lines())[0]).toBe('roughmix_letters{state="waiting"} 1');
});
