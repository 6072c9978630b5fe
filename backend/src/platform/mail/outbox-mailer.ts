import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { placeNewFile, systemCode, writeTemporary } from '../durable-file.js';
import { StoreAway } from '../store-errors.js';
import { messageOf, nameOfKey } from './letter-message.js';
import type { Letter, Mailer } from './mailer.js';

/** The folder of the letters, the address they come from, and whom to tell where a new one lies. */
export interface OutboxMailerOptions {
  readonly folder: string;
  readonly from: string;
  readonly logPath?: (path: string) => void;
}

/** Where letters are written before they get their names. */
const TEMPORARY = '.tmp';

/** Writes each letter as an `.eml` file named by its key, for mail programs to open; sending one twice writes it once. Only the owner may read them: they hold links that sign in. */
export class OutboxMailer implements Mailer {
  readonly #composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  #closed = false;

  private constructor(private readonly options: OutboxMailerOptions) {}

  /** Makes the folder when it is missing and removes what unfinished letters left. */
  static async open(options: OutboxMailerOptions): Promise<OutboxMailer> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    await rm(join(options.folder, TEMPORARY), { recursive: true, force: true });
    await mkdir(join(options.folder, TEMPORARY));
    return new OutboxMailer(options);
  }

  async send(letter: Letter): Promise<void> {
    if (this.#closed) throw new StoreAway('the outbox is closed');
    const { folder, from, logPath } = this.options;
    const path = join(folder, `${nameOfKey(letter.key)}.eml`);
    const message = messageOf(letter, from);
    if (await isThere(path)) return;
    const { message: composed } = await this.#composer.sendMail(message);
    const temporary = await writeTemporary(join(folder, TEMPORARY), composed, 0o600);
    if (await placeNewFile(temporary, path)) logPath?.(path);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#composer.close();
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
