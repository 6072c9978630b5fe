import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { systemCode } from '../durable-file.js';
import { nameOfKey } from './email-message.js';
import type { Email, EmailFiles } from './mailer.js';

const RETENTION_MS = 7 * 24 * 60 * 60_000;
const FILE = /^\d+-(.+)\.eml$/;

/** The name of an e-mail's file in the outbox. */
export const fileNameOf = ({ date, key }: Pick<Email, 'date' | 'key'>): string => `${date}-${nameOfKey(key)}.eml`;

/** The e-mails in the outbox folder, which may not exist. Once there is a mail server none are added, but those from before are still deleted. */
export class OutboxFiles implements EmailFiles {
  constructor(private readonly folder: string) {}

  async remove(ids: readonly string[]): Promise<void> {
    const wanted = new Set(ids);
    for (const { name, id } of await this.list()) if (id !== null && wanted.has(id)) await this.delete(name);
  }

  async ids(): Promise<readonly string[]> {
    return (await this.list()).flatMap(({ id }) => id ?? []);
  }

  async sweep(now: Instant): Promise<void> {
    for (const { name } of await this.list()) {
      const at = await modifiedAt(join(this.folder, name));
      if (at !== null && at < now - RETENTION_MS) await this.delete(name);
    }
  }

  /** The files, with the ids of their e-mails; those of earlier versions have none. */
  private async list(): Promise<readonly { readonly name: string; readonly id: string | null }[]> {
    const names = await unlessMissing(() => readdir(this.folder));
    return (names ?? []).filter((name) => name.endsWith('.eml')).map((name) => ({ name, id: FILE.exec(name)?.[1] ?? null }));
  }

  private delete(name: string): Promise<void> {
    return rm(join(this.folder, name), { force: true });
  }
}

/** When a file was last written; null if there is none. */
export const modifiedAt = (path: string): Promise<Instant | null> => unlessMissing(async () => (await stat(path)).mtimeMs);

async function unlessMissing<Result>(read: () => Promise<Result>): Promise<Result | null> {
  try {
    return await read();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}
