import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { placeNewFile, writeTemporary } from '../durable-file.js';
import { ServiceUnavailable } from '../store-errors.js';
import { messageOf } from './email-message.js';
import type { Email, Mailer } from './mailer.js';
import { fileNameOf, modifiedAt, OutboxFiles } from './outbox-files.js';

export interface OutboxMailerOptions {
  readonly folder: string;
  /** The sender. */
  readonly from: string;
  /** Called with the path of each new file. */
  readonly logPath?: (path: string) => void;
}

/** The subfolder for files that are still being written. */
const TEMPORARY = '.tmp';

/**
 * Writes each e-mail to a file `{time}-{id}.eml`, named by when it was written and by its key; sending it again writes nothing. Only the owner may read the
 * files, as they contain sign-in links.
 */
export class OutboxMailer implements Mailer {
  readonly files: OutboxFiles;
  readonly #composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  #closed = false;

  private constructor(private readonly options: OutboxMailerOptions) {
    this.files = new OutboxFiles(options.folder);
  }

  /** Creates the folder if missing, and removes unfinished files. */
  static async open(options: OutboxMailerOptions): Promise<OutboxMailer> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    await rm(join(options.folder, TEMPORARY), { recursive: true, force: true });
    await mkdir(join(options.folder, TEMPORARY));
    return new OutboxMailer(options);
  }

  async send(email: Email): Promise<void> {
    if (this.#closed) throw new ServiceUnavailable('the outbox is closed');
    const { folder, from, logPath } = this.options;
    const path = join(folder, fileNameOf(email));
    const message = messageOf(email, from);
    if ((await modifiedAt(path)) !== null) return;
    const { message: composed } = await this.#composer.sendMail(message);
    const temporary = await writeTemporary(join(folder, TEMPORARY), composed, 0o600);
    if (await placeNewFile(temporary, path)) logPath?.(path);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#composer.close();
  }
}
