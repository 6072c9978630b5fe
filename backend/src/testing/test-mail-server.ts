import { once } from 'node:events';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { freePort } from './free-port.js';

/** A real SMTP server that records the Message-IDs and the subjects of the e-mails it accepts. It can be closed and opened again at the same address. */
export class TestMailServer {
  readonly accepted: string[] = [];
  readonly subjects: string[] = [];
  private server: SMTPServer | undefined;
  private port: number | undefined;
  /** The reply code for a recipient; null accepts it. */
  reply: (to: string) => number | null | Promise<number | null> = () => null;

  get url(): string {
    return `smtp://127.0.0.1:${this.port ?? 0}`;
  }

  async open(): Promise<this> {
    const onRcptTo: SMTPServerOptions['onRcptTo'] = ({ address }, _session, done) => {
      const answer = async (): Promise<void> => {
        const code = await this.reply(address);
        done(code === null ? undefined : Object.assign(new Error('not now'), { responseCode: code }));
      };
      void answer();
    };
    const onData: SMTPServerOptions['onData'] = (stream, _session, done) => {
      let message = '';
      stream.setEncoding('utf8').on('data', (text: string) => (message += text));
      stream.on('end', () => {
        this.accepted.push(/^Message-ID: <(.*)>/im.exec(message)?.[1] ?? message);
        this.subjects.push(/^Subject: (.*)\r$/im.exec(message)?.[1] ?? '');
        done();
      });
    };
    this.server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], logger: false, closeTimeout: 100, onRcptTo, onData });
    this.server.on('error', () => undefined);
    this.port ??= Number(await freePort());
    await once(this.server.listen(this.port, '127.0.0.1'), 'listening');
    return this;
  }

  close(): Promise<void> {
    return new Promise((resolve) => (this.server === undefined ? resolve() : this.server.close(() => resolve())));
  }
}
