import { createTransport, type Transporter } from 'nodemailer';
import { ServiceUnavailable } from '../store-errors.js';
import { messageOf } from './email-message.js';
import { EmailRefused, type Email, type EmailFiles, type Mailer } from './mailer.js';

export interface SmtpMailerOptions {
  /** The server, for example `smtps://user:password@host:465`. */
  readonly url: string;
  /** The sender. */
  readonly from: string;
  /** The outbox from before there was a mail server. */
  readonly files?: EmailFiles;
  /** In milliseconds. */
  readonly timeouts?: { readonly connection: number; readonly greeting: number; readonly socket: number };
}

const TIMEOUTS = { connection: 10_000, greeting: 10_000, socket: 30_000 };
const CONNECTIONS = 2;

/** Sends by SMTP over a small connection pool. */
export class SmtpMailer implements Mailer {
  readonly files: EmailFiles | null;
  readonly #from: string;
  readonly #transport: Transporter;
  #closed = false;

  constructor({ url, from, files, timeouts = TIMEOUTS }: SmtpMailerOptions) {
    this.files = files ?? null;
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

  async send(email: Email): Promise<void> {
    const message = messageOf(email, this.#from);
    if (this.#closed) throw new ServiceUnavailable('the mailer is closed');
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

/** A 5xx reply to this e-mail is permanent; a refused login or connection, a 4xx reply or a timeout is not. The server's text may contain the address, so the message leaves it out. */
function toPortError(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const reply = error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : 0;
  const isAboutEmail = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (isAboutEmail && reply >= 500) return new EmailRefused(`the mail server refused the e-mail (${reply})`);
  return new ServiceUnavailable(`the mail server did not accept the e-mail (${code})`);
}
