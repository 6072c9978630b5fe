import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ReadEmail, readEmail } from './read-email.js';
import type { TestApp } from './app.js';

/** The e-mails in a program's outbox folder, oldest first. */
export async function outboxOf({ folder }: Pick<TestApp, 'folder'>): Promise<readonly ReadEmail[]> {
  const outbox = join(folder, 'outbox');
  const files = (await readdir(outbox)).filter((name) => name.endsWith('.eml')).toSorted();
  return Promise.all(files.map(async (name) => readEmail(await readFile(join(outbox, name), 'utf8'))));
}

/** As {@link outboxOf}, once it holds this many. */
export async function outboxWith(app: Pick<TestApp, 'folder'>, count: number): Promise<readonly ReadEmail[]> {
  for (;;) {
    const emails = await outboxOf(app);
    if (emails.length >= count) return emails;
    await pause(10);
  }
}
