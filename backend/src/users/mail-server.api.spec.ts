import { access, mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import { startApp, type TestApp } from '../testing/app.js';
import { linkedToken } from '../testing/outbox.js';
import { readEmail } from '../testing/read-email.js';
import { smtpReceiver, smtpServer, type TestSmtpServer } from '../testing/smtp-receiver.js';

const ANA = 'ana.tester@example.org';
const EIGHT_DAYS_MS = 8 * 24 * 60 * 60_000;

let app: TestApp;
let server: TestSmtpServer;
afterEach(async () => {
  await app.stop();
  await server.stop();
});

const begin = async (): Promise<TestApp> =>
  startApp({ SMTP_URL: server.url, PUBLIC_URL: 'http://mix.example', SUPPORT_EMAIL: 'help@mix.example', TRUST_PROXY: '127.0.0.1' });
const FORGED = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https', Forwarded: 'host=evil.example;proto=https' };
const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

test('a mail server receives the link to reset a password as text and as HTML, and nothing is written to the outbox', async () => {
  const receiver = await smtpReceiver();
  server = receiver;
  app = await begin();
  await app.person('Ana');
  await app.anonymous.post(USER_PATHS.passwordReset, { email: ANA }, FORGED);
  const [message = ''] = await receiver.messages(1);
  const { headers, text, html } = readEmail(message);
  const token = linkedToken({ headers, text, html }, 'passwordReset');
  expect(headers).toEqual({
    from: 'Roughmix <noreply@mix.example>',
    to: ANA,
    subject: 'Reset your password',
    'message-id': expect.stringMatching(/^<reset-[\w-]{43}@mix\.example>$/),
    date: expect.any(String),
    'auto-submitted': 'auto-generated',
    'mime-version': '1.0',
    'content-type': expect.stringMatching(/^multipart\/alternative; boundary="[^"]+"$/),
  });
  expect(headers['message-id']).not.toContain(token);
  expect(text.replaceAll('\r\n', '\n')).toContain(`\nChoose a new password:\nhttp://mix.example/passwordReset/${token}\n`);
  expect(html).toContain(`<a class="button" href="http://mix.example/passwordReset/${token}">Choose a new password</a>`);
  expect((await app.anonymous.post(USER_PATHS.passwordResetWith(token), { newPassword: 'brushes-on-a-snare' })).status).toBe(204);
  expect((await receiver.messages(2)).map((each) => readEmail(each).headers['subject'])).toEqual(['Reset your password', 'Your password was changed']);
  expect(await isThere(join(app.folder, 'outbox'))).toBe(false);
});

test('a message from the contact form reaches the operator, who can reply to its sender', async () => {
  const receiver = await smtpReceiver();
  server = receiver;
  app = await begin();
  const message = { firstName: 'Bea\r\nBcc: eve@example.org', lastName: '<i>Holt</i>', reply_to: 'Bea@Example.org', message_content: 'Hi,\n<b>when?</b>' };
  expect((await app.anonymous.post('/api/contact', message)).status).toBe(202);
  const [received = ''] = await receiver.messages(1);
  const { headers, text, html } = readEmail(received);
  expect(headers).toMatchObject({ to: 'help@mix.example', 'reply-to': 'bea@example.org', subject: 'Message from the contact form' });
  expect(headers).not.toHaveProperty('bcc');
  expect(text).toContain('> <b>when?</b>');
  expect(html).toContain('Hi,<br>\r\n&lt;b&gt;when?&lt;/b&gt;');
  expect(html).toContain('<dd>&lt;i&gt;Holt&lt;/i&gt;</dd>');
});

test('no answer waits for a mail server that does not reply', async () => {
  server = await smtpServer(() => undefined);
  app = await begin();
  await app.person('Ana');
  expect((await app.anonymous.post(USER_PATHS.passwordReset, { email: ANA })).status).toBe(200);
});

test('the outbox from before there was a mail server is still cleared', async () => {
  server = await smtpReceiver();
  app = await begin();
  const outbox = join(app.folder, 'outbox');
  const old = join(outbox, '1700000000000-old.eml');
  await app.restart(async () => {
    await mkdir(outbox);
    for (const file of [old, join(outbox, 'new.eml')]) await writeFile(file, '');
    const longAgo = new Date(Date.now() - EIGHT_DAYS_MS);
    await utimes(old, longAgo, longAgo);
  });
  while (await isThere(old)) await pause(10);
  expect(await readdir(outbox)).toEqual(['new.eml']);
});
