import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { manualClock } from '../../testing/manual-clock.js';
import { type TemporaryVault, temporaryVault, withOverride } from '../../testing/temporary-vault.js';
import { TestMailServer } from '../../testing/test-mail-server.js';
import { DELIVERY_TIMES, EmailDeliveryLoop } from './email-delivery-loop.js';
import { EmailQueue } from './email-queue.js';
import { reminderEmail } from './templates/mailing-emails.js';
import type { EmailFiles } from './mailer.js';
import { SmtpMailer } from './smtp-mailer.js';

const email = { to: 'ana@example.org', subject: 'Reset your password', text: 'Open this', key: 'reset-1' };
const HOUR_MS = 60 * 60_000;

let temporary: TemporaryVault;
let clock: ReturnType<typeof manualClock>;
let emailQueue: EmailQueue;
let logged: string[];
let server: TestMailServer;
let loop: EmailDeliveryLoop | undefined;
let mailer: SmtpMailer | undefined;

const openQueue = (now: () => number, files: EmailFiles | null = null, vault = temporary.vault): Promise<EmailQueue> =>
  EmailQueue.open({ vault, clock: now, addressKey: Buffer.from('key'), files });
const deliver = async (poll = 10): Promise<EmailDeliveryLoop> => {
  mailer = new SmtpMailer({ url: server.url, from: 'Roughmix <mail@roughmix.example>' });
  const log = {
    info: (_fields: object, message: string) => logged.push(message),
    error: (facts: object, message: string) => logged.push(`${message} ${JSON.stringify(facts)}`),
  };
  loop = new EmailDeliveryLoop({ emailQueue, mailer, clock: clock.now, log, times: { ...DELIVERY_TIMES, poll } });
  await loop.start();
  return loop;
};
const end = async (): Promise<void> => {
  await loop?.stop();
  await mailer?.close();
};
const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
};
const waiting = async (): Promise<number> => (await emailQueue.status()).waiting;
const tries = async (): Promise<readonly number[]> => (await emailQueue.waiting()).map(({ body }) => body.tries);

beforeEach(async () => {
  temporary = await temporaryVault();
  clock = manualClock();
  emailQueue = await openQueue(clock.now);
  logged = [];
  server = await new TestMailServer().open();
});
afterEach(async () => {
  await end();
  await server.close();
  await temporary.remove();
});

test('an e-mail is delivered, and its address and text are deleted', async () => {
  expect(await emailQueue.enqueue(email, { uid: 'ana' })).toBe('reset-1');
  await deliver();
  await until(async () => (await waiting()) === 0);
  expect(server.accepted).toEqual(['reset-1@roughmix.example']);
  const [record] = await temporary.vault.find('letters', {});
  expect(record?.body).toEqual({ state: 'sent', uid: 'ana', address: expect.stringMatching(/^[\w-]{43}$/), endedAt: clock.now() });
});

test('receiver and text of an e-mail are sealed while it waits, and its receiver once it is undeliverable', async () => {
  const stored = async (): Promise<string> => JSON.stringify(await temporary.vault.find('letters', {}));
  server.reply = () => 451;
  const unsubscribe = 'https://mix.example/unsubscribe/token';
  const reminder = { reminder: { label: '1 hour before', at: 0 }, about: ': Open this', link: 'https://mix.example/', unsubscribeLink: unsubscribe } as const;
  const more = { replyTo: 'bob@example.org', html: '<p>Open this</p>', unsubscribe, reminder };
  await emailQueue.enqueue({ ...email, ...more }, { uid: 'ana', about: 'bob@example.org' });
  const plain = /example\.org|Reset your|Open this|unsubscribe/;
  expect(await stored()).not.toMatch(plain);
  await deliver();
  await until(async () => (await tries())[0] === 1);
  expect(await stored()).not.toMatch(plain);
  const [opened] = (await emailQueue.waiting()).map((each) => emailQueue.open(each)?.body);
  expect(opened).toMatchObject({ ...email, ...more });
  server.reply = () => 550;
  clock.move(HOUR_MS);
  await until(async () => (await waiting()) === 0);
  expect(await stored()).not.toMatch(plain);
  expect((await emailQueue.status()).undelivered).toMatchObject([{ letter: 'reset-1', to: email.to }]);
});

test('an e-mail that cannot be decrypted is given up with its reason, and the others are sent and reported', async () => {
  const [changed, swapped, sound] = ['changed', 'swapped', 'sound'];
  for (const key of [changed, swapped, sound]) await emailQueue.enqueue({ ...email, key });
  const { [changed]: first, [swapped]: second } = Object.fromEntries((await temporary.vault.find('letters', {})).map(({ id, body }) => [id, body]));
  await temporary.vault.put('letters', changed, { ...first, sealedTo: 'changed' });
  await temporary.vault.put('letters', swapped, { ...second, sealedContent: first?.['sealedContent'] });
  expect(await emailQueue.status()).toMatchObject({ waiting: 3, undelivered: [] });
  await deliver();
  await until(async () => (await waiting()) === 0);
  const reason = 'it cannot be decrypted: its record was changed, or sealed under another key';
  const ended = { writtenAt: clock.now(), endedAt: clock.now(), tries: 0, reason };
  expect((await emailQueue.status()).undelivered).toEqual([
    { letter: changed, to: '[unreadable]', ...ended },
    { letter: swapped, to: email.to, ...ended },
  ]);
  expect(server.accepted).toEqual(['sound@roughmix.example']);
  // Logged after the record was replaced.
  await until(() => logged.length === 2);
  expect(logged).toEqual([changed, swapped].map((emailId) => `giving up on e-mail: undeliverable ${JSON.stringify({ emailId, tries: 0, reason })}`));
  expect(Object.keys((await temporary.vault.get('letters', swapped))?.body ?? {})).not.toContain('sealedContent');
});

test('a reminder says how much time is left when it is sent, however long it waited', async () => {
  await server.close();
  const reminder = { label: '15 minutes before', at: clock.now() } as const;
  const facts = { reminder, about: ': Tune the snare', link: 'https://mix.example/', unsubscribeLink: 'https://mix.example/unsubscribe/token' };
  const made = reminderEmail(facts, clock.now());
  for (const key of ['one', 'other']) await emailQueue.enqueue({ ...email, ...made, to: `${key}@example.org`, key, reminder: facts });
  await deliver();
  await until(async () => (await tries()).every((count) => count > 0));
  server.reply = (to) => (to === 'one@example.org' ? null : 451);
  await server.open();
  clock.move(11 * 60_000);
  await until(async () => server.subjects.length === 1 && (await tries()).join() === '2');
  server.reply = () => null;
  clock.move(HOUR_MS);
  await until(() => server.subjects.length === 2);
  expect(server.subjects).toEqual(['Due in 4 minutes', 'Overdue']);
});

test('e-mails that an earlier version stored unsealed are delivered, and reported', async () => {
  const [writtenAt, address] = [clock.now(), 'a-hash'];
  await temporary.vault.put('letters', 'old', {
    ...email,
    key: 'old',
    uid: null,
    address,
    state: 'waiting',
    writtenAt,
    dueAt: writtenAt,
    tries: 0,
    reason: null,
  });
  const gone = { to: 'gone@example.org', writtenAt, endedAt: writtenAt, tries: 3, reason: 'no such address' };
  await temporary.vault.put('letters', 'gone', { state: 'undelivered', uid: null, address, ...gone });
  await deliver();
  await until(async () => (await waiting()) === 0);
  expect(server.accepted).toEqual(['old@roughmix.example']);
  expect((await emailQueue.status()).undelivered).toEqual([{ letter: 'gone', ...gone }]);
});

test('an e-mail queued while the loop runs is delivered without waiting for the next poll', async () => {
  await emailQueue.enqueue(email);
  await deliver(HOUR_MS);
  await until(async () => (await waiting()) === 0);
  await emailQueue.enqueue({ ...email, key: 'reset-2' });
  await until(() => server.accepted.length === 2);
  expect(server.accepted).toEqual(['reset-1@roughmix.example', 'reset-2@roughmix.example']);
});

test('an e-mail queued by a process whose clock is ahead is delivered at once', async () => {
  const ahead = await openQueue(() => clock.now() + HOUR_MS / 6);
  await ahead.enqueue(email);
  await deliver();
  await until(() => server.accepted.length === 1);
  expect(server.accepted).toEqual(['reset-1@roughmix.example']);
});

test('a key is never sent twice, even after delivery', async () => {
  for (let times = 0; times < 2; times += 1) await emailQueue.enqueue({ ...email, text: `attempt ${times}` });
  await deliver();
  await until(async () => (await waiting()) === 0);
  await emailQueue.enqueue(email);
  await emailQueue.enqueue({ ...email, key: 'reset-2' });
  await until(() => server.accepted.length > 1);
  expect(server.accepted).toEqual(['reset-1@roughmix.example', 'reset-2@roughmix.example']);
});

test('an invalid recipient is refused before anything is queued', async () => {
  await expect(emailQueue.enqueue({ ...email, to: 'ana@example.org, eve@example.org' })).rejects.toMatchObject({ name: 'EmailRefused' });
  expect(await waiting()).toBe(0);
});

test('while the server is unavailable e-mails are retried at growing intervals and delivered when it is back; the outage is logged once', async () => {
  await server.close();
  await emailQueue.enqueue(email);
  await deliver();
  let due = 0;
  for (const [nth, wait] of [5_000, 10_000, 20_000].entries()) {
    clock.move(due);
    await until(async () => (await tries())[0] === nth + 1);
    const [found] = await emailQueue.waiting();
    expect((found?.body.dueAt ?? 0) - clock.now()).toBe(wait);
    due = wait;
  }
  // No attempt is in progress: the next one is not due yet.
  await server.open();
  clock.move(HOUR_MS);
  await until(() => server.accepted.length === 1);
  await until(() => logged.length > 1);
  expect(logged).toEqual([expect.stringMatching(/^e-mail not accepted, trying again /), 'e-mails are accepted again']);
  expect(logged.join()).not.toContain('ana@');
});

test('the wait before a retry is at most an hour', async () => {
  server.reply = () => 451;
  await emailQueue.enqueue(email);
  await deliver();
  for (let nth = 1; nth < 15; nth += 1) {
    await until(async () => (await tries())[0] === nth);
    clock.move(HOUR_MS);
  }
  const [found] = await emailQueue.waiting();
  expect((found?.body.dueAt ?? 0) - clock.now()).toBeLessThanOrEqual(HOUR_MS);
});

test('an e-mail being retried does not block the others', async () => {
  server.reply = (to) => (to === 'ana@example.org' ? 451 : null);
  await emailQueue.enqueue(email);
  await emailQueue.enqueue({ ...email, to: 'bob@example.org', key: 'other' });
  await deliver();
  await until(() => server.accepted.length === 1);
  expect(server.accepted).toEqual(['other@roughmix.example']);
  // The accepted one leaves the queue a moment later.
  await until(async () => (await waiting()) === 1);
});

const keysOf = (accepted: readonly string[]): readonly string[] => accepted.map((messageId) => messageId.split('@')[0] ?? '');

test('account e-mails go before mailings, even when they are queued while mailings are being delivered', async () => {
  for (let nth = 10; nth < 35; nth += 1) await emailQueue.enqueue({ ...email, to: 'bob@example.org', key: `mailing-${nth}` }, { causedBy: 'eve' });
  await emailQueue.enqueue({ ...email, key: 'notice' });
  server.reply = async (to) => {
    if (to === 'bob@example.org') await emailQueue.enqueue(email);
    return null;
  };
  await deliver();
  await until(() => server.accepted.length === 27);
  const mailings = Array.from({ length: 25 }, (_, nth) => `mailing-${nth + 10}`);
  expect(keysOf(server.accepted)).toEqual(['notice', ...mailings.slice(0, 9), 'reset-1', ...mailings.slice(9)]);
});

test('the queue is read once for all that is due, however many; what is deleted meanwhile is not sent', async () => {
  let reads = 0;
  const vault = withOverride(temporary.vault, 'find', (collection, query) => {
    if (query.value === 'waiting') reads += 1;
    return temporary.vault.find(collection, query);
  });
  emailQueue = await openQueue(clock.now, null, vault);
  for (let nth = 10; nth < 55; nth += 1) await emailQueue.enqueue({ ...email, key: `mailing-${nth}` }, { causedBy: 'eve' });
  server.reply = async () => {
    await emailQueue.discard('mailing-50');
    return null;
  };
  await deliver(HOUR_MS);
  await until(() => server.accepted.length === 44 && reads > 1);
  expect([reads, keysOf(server.accepted).includes('mailing-50')]).toEqual([2, false]);
});

test('the people who caused mailings take turns, even if there are more of them than fit into one batch', async () => {
  for (let nth = 10; nth < 22; nth += 1) await emailQueue.enqueue({ ...email, key: `a-${nth}` }, { causedBy: 'eve' });
  for (let nth = 10; nth < 22; nth += 1) await emailQueue.enqueue({ ...email, key: `b-${nth}` }, { causedBy: `user-${nth}` });
  await deliver();
  await until(() => server.accepted.length === 24);
  const others = Array.from({ length: 12 }, (_, nth) => `b-${nth + 10}`);
  expect(keysOf(server.accepted).slice(0, 14)).toEqual(['a-10', ...others, 'a-11']);
});

test('erasing a user deletes the e-mails to others that name them, waiting or delivered, with their files', async () => {
  const files = new Set(['named-sent']);
  const remove = (ids: readonly string[]): Promise<void> => Promise.resolve(ids.forEach((id) => files.delete(id)));
  emailQueue = await openQueue(clock.now, { remove, ids: () => Promise.resolve([...files]), sweep: () => Promise.resolve() });
  await emailQueue.enqueue({ ...email, key: 'named-sent' }, { uid: 'bob', names: ['ana', 'carl'], causedBy: 'carl' });
  await deliver();
  await until(async () => (await waiting()) === 0);
  await server.close();
  await emailQueue.enqueue({ ...email, key: 'named-waiting' }, { uid: 'bob', names: ['ana'], causedBy: 'carl' });
  await emailQueue.enqueue({ ...email, key: 'other' }, { uid: 'bob', names: ['carl'], causedBy: 'carl' });
  await emailQueue.forget('ana', null);
  expect((await temporary.vault.find('letters', {})).map(({ id }) => id)).toEqual(['other']);
  expect([...files]).toEqual([]);
});

describe('an undeliverable e-mail', () => {
  test('is given up at once if permanently refused; its reason is reported and its text deleted', async () => {
    server.reply = () => 550;
    await emailQueue.enqueue({ ...email, text: 'a text of its own' });
    await deliver();
    await until(async () => (await waiting()) === 0);
    // Logged after the text was deleted.
    await until(() => logged.length > 0);
    const at = clock.now();
    const reason = 'the mail server refused the e-mail (550)';
    const undelivered = [{ letter: 'reset-1', to: email.to, writtenAt: at, endedAt: at, tries: 1, reason }];
    expect(await emailQueue.status()).toEqual({ waiting: 0, oldest: null, lastReason: null, undelivered });
    expect(logged).toEqual([`giving up on e-mail: undeliverable ${JSON.stringify({ emailId: 'reset-1', tries: 1, reason })}`]);
    expect(JSON.stringify(await temporary.vault.find('letters', {}))).not.toContain('a text of its own');
  });

  test('is given up after three days, with the error of the last attempt', async () => {
    server.reply = () => 451;
    await emailQueue.enqueue(email);
    await deliver();
    await until(async () => (await tries())[0] === 1);
    clock.move(72 * HOUR_MS);
    await until(async () => (await waiting()) === 0);
    expect((await emailQueue.status()).undelivered.map(({ reason }) => reason)).toEqual(['too old: the mail server did not accept the e-mail (EENVELOPE)']);
  });

  test('is reported for thirty days', async () => {
    server.reply = () => 550;
    await emailQueue.enqueue(email);
    const first = await deliver();
    await until(async () => (await emailQueue.status()).undelivered.length === 1);
    await first.stop();
    clock.move(30 * 24 * HOUR_MS + 1);
    await emailQueue.sweep();
    expect(await temporary.vault.find('letters', {})).toEqual([]);
  });
});

test('erasing a user deletes their e-mails, by uid and by address', async () => {
  await server.close();
  await emailQueue.enqueue(email, { uid: 'ana' });
  await emailQueue.enqueue({ ...email, key: 'invited', to: 'Ana@Example.org' });
  await emailQueue.enqueue({ ...email, key: 'other', to: 'bob@example.org' }, { uid: 'bob' });
  await emailQueue.forget('ana', 'ana@example.org');
  expect((await emailQueue.waiting()).map(({ id }) => id)).toEqual(['other']);
});

test('e-mails survive a restart and are delivered by the next process', async () => {
  await server.close();
  await emailQueue.enqueue(email);
  await deliver();
  await until(async () => (await tries())[0] === 1);
  await end();
  await server.open();
  clock.move(HOUR_MS);
  emailQueue = await openQueue(clock.now);
  await deliver();
  await until(() => server.accepted.length === 1);
  expect(server.accepted).toEqual(['reset-1@roughmix.example']);
});
