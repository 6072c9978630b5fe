import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ReadEmail, readEmail } from './read-email.js';
import type { TestApp } from './app.js';

const DEADLINE_MS = 20_000;

/** The e-mails in a program's outbox folder, oldest first. */
export async function outboxOf({ folder }: Pick<TestApp, 'folder'>): Promise<readonly ReadEmail[]> {
  const outbox = join(folder, 'outbox');
  const files = (await readdir(outbox)).filter((name) => name.endsWith('.eml')).toSorted();
  return Promise.all(files.map(async (name) => readEmail(await readFile(join(outbox, name), 'utf8'))));
}

/** As {@link outboxOf}, once it holds this many. */
export async function outboxWith(app: Pick<TestApp, 'folder'>, count: number): Promise<readonly ReadEmail[]> {
  for (const until = Date.now() + DEADLINE_MS; ;) {
    const emails = await outboxOf(app);
    if (emails.length >= count) return emails;
    if (Date.now() > until) throw new Error(`${emails.length} e-mails instead of ${count} are in the outbox`);
    await pause(10);
  }
}

/** The e-mails with this subject in the outbox, oldest first, once there are as many. */
export async function outboxEmails(app: Pick<TestApp, 'folder'>, subject: string, count = 1): Promise<readonly ReadEmail[]> {
  for (;;) {
    const found = (await outboxOf(app)).filter(({ headers }) => headers['subject'] === subject);
    if (found.length >= count) return found;
    await pause(10);
  }
}

/** The token of the link that an e-mail carries below a path of the page. */
export const linkedToken = (email: ReadEmail | undefined, path: 'invite' | 'passwordReset'): string =>
  new RegExp(`^https?://[^/\\s]+/${path}/([\\w-]{43})\\r?$`, 'm').exec(email?.text ?? '')?.[1] ?? '';
