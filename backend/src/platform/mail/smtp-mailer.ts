import { createTransport, type Transporter } from 'nodemailer';
import { StoreAway } from '../store-errors.js';
import { messageOf } from './letter-message.js';
import { LetterRefused, type Letter, type Mailer } from './mailer.js';

/** The server as a URL (`smtps://user:password@host:465`), the address that letters come from, and how long to wait, in milliseconds. */
export interface SmtpMailerOptions {
  readonly url: string;
  readonly from: string;
  readonly timeouts?: { readonly connection: number; readonly greeting: number; readonly socket: number };
}

const TIMEOUTS = { connection: 10_000, greeting: 10_000, socket: 30_000 };
const CONNECTIONS = 2;

/** Sends by SMTP over a few connections that are kept. */
export class SmtpMailer implements Mailer {
  readonly #from: string;
  readonly #transport: Transporter;
  #closed = false;

  constructor({ url, from, timeouts = TIMEOUTS }: SmtpMailerOptions) {
    this.#from = from;
    this.#transport = createTransport({
      url,
      pool: true,
      maxConnections: CONNECTIONS,
      connectionTimeout: timeouts.connection,
      dnsTimeout: timeouts.connection,
      greetingTimeout: timeouts.greeting,
      socketTimeout: timeouts.socket,
    });
  }

  async send(letter: Letter): Promise<void> {
    const message = messageOf(letter, this.#from);
    if (this.#closed) throw new StoreAway('the mailer is closed');
    try {
      await this.#transport.sendMail(message);
    } catch (error) {
      throw toPortError(error);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#transport.close();
  }
}

/** A 5xx answer to this letter is for good; a refused login or connection, a 4xx or silence may pass. The server's words may hold the address, so they stay out of the message. */
function toPortError(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const answer = error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : 0;
  const isAboutLetter = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (isAboutLetter && answer >= 500) return new LetterRefused(`the mail server refused the letter (${answer})`);
  return new StoreAway(`the mail server did not take the letter (${code})`);
}
