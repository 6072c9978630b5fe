// A real SMTP server that can misbehave on request and records accepted e-mails.
import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { freePort } from './free-port.mjs';

const refusal = (responseCode) => Object.assign(new Error('not this one'), { responseCode });

/** Its behaviours. `cut`: it accepts the e-mail and disconnects before acknowledging it. */
export const MOODS = ['takes', 'cut', 'away', 'busy', 'silent'];

export class MailServer {
  /** Accepted Message-IDs in order; an e-mail sent twice is listed twice. */
  taken = [];
  mood = 'takes';
  #port = 0;
  #server;
  #sockets = new Set();

  get url() {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  async open() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      closeTimeout: 50,
      onConnect: (session, done) => this.mood !== 'silent' && done(),
      onRcptTo: ({ address }, session, done) => {
        if (this.mood === 'busy') return done(refusal(451));
        return done(address.startsWith('refused') ? refusal(550) : undefined);
      },
      // An incomplete e-mail is not accepted.
      onData: (stream, session, done) => void this.#take(stream, done).catch(() => undefined),
    });
    this.#server.on('error', () => undefined); // cut connections
    this.#server.server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    // No other process may get its port while it is down.
    this.#port ||= Number(await freePort());
    await once(this.#server.listen(this.#port, '127.0.0.1'), 'listening');
    return this;
  }

  async #take(stream, done) {
    let message = '';
    for await (const chunk of stream) message += chunk;
    this.taken.push(/^Message-ID: <(.*)@/im.exec(message)?.[1]);
    if (this.mood === 'cut') this.#cut();
    else done();
  }

  #cut() {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close() {
    this.#cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Changes its behaviour and cuts clients still waiting for an answer. */
  async become(mood) {
    const before = this.mood;
    this.mood = mood;
    if (mood === 'away') await this.close();
    else if (before === 'away') await this.open();
    else this.#cut();
  }
}
