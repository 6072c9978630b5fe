import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { EmailQueuedAnswer, MailStatus } from '@roughmix/contracts/admin/admin.view.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { operate } from '../testing/operate.js';
import { startApp, type TestApp } from '../testing/app.js';
import { bodyOf } from '../testing/test-client.js';

const MASTER_KEY = 'specs-master-key-3b81e0c5a7f24d96';
let app: TestApp;
beforeAll(async () => {
  app = await startApp({ MASTER_KEY });
});
afterAll(() => app.stop());

const admin = (): string => `/api/admin/${app.adminKey}/mail`;

/** Runs an operation as an operator does beside this program. */
async function operated(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const { hostname, port } = new URL(app.url);
  const environment = { DATA_DIR: app.folder, HOST: hostname, PORT: port, ADMIN_KEY: app.adminKey, MASTER_KEY, LOG_LEVEL: 'silent' };
  const code = await operate(args, environment, { out, err, signal: new AbortController().signal });
  out.end();
  err.end();
  return { code, out: await text(out), err: await text(err) };
}

/** The e-mail of this name in the outbox folder, which replaces a mail server. */
async function delivered(name: string): Promise<string> {
  const outbox = join(app.folder, 'outbox');
  for (;;) {
    const file = (await readdir(outbox)).find((each) => each.endsWith(`-${name}.eml`));
    if (file !== undefined) return readFile(join(outbox, file), 'utf8');
    await pause(10);
  }
}

/** The mail status once none waits: a delivered e-mail is removed from the vault a moment later. */
async function emptied(): Promise<MailStatus> {
  let status = bodyOf(await app.anonymous.get<MailStatus>(admin()));
  for (; status.oldest !== null; status = bodyOf(await app.anonymous.get<MailStatus>(admin()))) await pause(10);
  return status;
}

test('an e-mail goes through the vault to the delivering process', async () => {
  const answer = await app.anonymous.post<EmailQueuedAnswer>(admin(), { to: ' ana@example.org ' });
  expect(answer.status).toBe(202);
  const message = await delivered(bodyOf(answer).letter);
  expect(message).toContain('To: ana@example.org\r\n');
  expect(await emptied()).toMatchObject({ lastReason: null, undelivered: [] });
  expect((await app.anonymous.post(admin(), { to: 'ana' })).body).toMatchObject({ code: 'email.invalid' });
});

test('an operator sends a test e-mail and reads its status, with and without a running program', async () => {
  const sent = await operated('mail', 'send', '--to', 'ana@example.org');
  const [, name = ''] = /^queued as (\S+);/.exec(sent.out) ?? [];
  expect(sent).toMatchObject({ code: 0, err: '' });
  expect(sent.out).toBe(`queued as ${name}; without SMTP_URL it becomes a file in ${join(app.folder, 'outbox')}\n`);
  expect(await delivered(name)).toContain(`Message-ID: <${name}@`);
  expect(await operated('mail', 'send', '--to', 'ana')).toMatchObject({ code: 2, out: '' });
  expect(await operated('mail', 'send')).toEqual({ code: 2, out: '', err: 'mail send: name the recipient, --to <email address>\n' });
  await emptied();
  let offline = '';
  await app.restart(async () => {
    offline = /^queued as (\S+);/.exec((await operated('mail', 'send', '--to', 'bob@example.org')).out)?.[1] ?? '';
    expect((await operated('mail', 'send', '--to', 'bob')).code).toBe(2);
    expect((await operated('mail', 'status')).out).toMatch(/^1 waiting, the oldest since \S+; 0 undelivered\n$/);
  });
  expect(await delivered(offline)).toContain('To: bob@example.org\r\n');
  expect(JSON.parse((await operated('mail', 'status', '--json')).out)).toMatchObject({ undelivered: [] });
});
