import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { createTransport } from 'nodemailer';
import { placeNewFile, systemCode, writeTemporary } from '../durable-file.js';
import { ServiceUnavailable } from '../store-errors.js';
import { messageOf, nameOfKey } from './email-message.js';
import type { Email, EmailFiles, Mailer } from './mailer.js';

export interface OutboxMailerOptions {
  readonly folder: string;
  /** The sender. */
  readonly from: string;
  /** Called with the path of each new file. */
  readonly logPath?: (path: string) => void;
}

/** The subfolder for files that are still being written. */
const TEMPORARY = '.tmp';
const RETENTION_MS = 7 * 24 * 60 * 60_000;
const FILE = /^\d+-(.+)\.eml$/;

/**
 * Writes each e-mail to a file `{time}-{id}.eml`, named by when it was written and by its key; sending it again writes nothing. Only the owner may read the
 * files, as they contain sign-in links.
 */
export class OutboxMailer implements Mailer, EmailFiles {
  readonly #composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  #closed = false;

  private constructor(private readonly options: OutboxMailerOptions) {}

  /** Creates the folder if missing, and removes unfinished files. */
  static async open(options: OutboxMailerOptions): Promise<OutboxMailer> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    await rm(join(options.folder, TEMPORARY), { recursive: true, force: true });
    await mkdir(join(options.folder, TEMPORARY));
    return new OutboxMailer(options);
  }

  get files(): EmailFiles {
    return this;
  }

  async send(email: Email): Promise<void> {
    if (this.#closed) throw new ServiceUnavailable('the outbox is closed');
    const { folder, from, logPath } = this.options;
    const path = join(folder, `${email.date}-${nameOfKey(email.key)}.eml`);
    const message = messageOf(email, from);
    if ((await writtenAt(path)) !== null) return;
    const { message: composed } = await this.#composer.sendMail(message);
    const temporary = await writeTemporary(join(folder, TEMPORARY), composed, 0o600);
    if (await placeNewFile(temporary, path)) logPath?.(path);
  }

  async remove(ids: readonly string[]): Promise<void> {
    const wanted = new Set(ids);
    for (const { name, id } of await this.list()) if (id !== null && wanted.has(id)) await this.delete(name);
  }

  async ids(): Promise<readonly string[]> {
    return (await this.list()).flatMap(({ id }) => id ?? []);
  }

  async sweep(now: Instant): Promise<void> {
    for (const { name } of await this.list()) {
      const at = await writtenAt(join(this.options.folder, name));
      if (at !== null && at < now - RETENTION_MS) await this.delete(name);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#composer.close();
  }

  /** Its files, with the ids of their e-mails; those of earlier versions have none. */
  private async list(): Promise<readonly { readonly name: string; readonly id: string | null }[]> {
    const names = await readdir(this.options.folder);
    return names.filter((name) => name.endsWith('.eml')).map((name) => ({ name, id: FILE.exec(name)?.[1] ?? null }));
  }

  private delete(name: string): Promise<void> {
    return rm(join(this.options.folder, name), { force: true });
  }
}

/** When a file was last written; null if there is none. */
async function writtenAt(path: string): Promise<Instant | null> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}
