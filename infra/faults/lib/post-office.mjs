// A real SMTP server that can be told to behave badly, and remembers what it took.
import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { freePort } from './free-port.mjs';

const refusal = (responseCode) => Object.assign(new Error('not this one'), { responseCode });

/** How it treats whoever comes. `cut`: it takes the letter and breaks off before it says so. */
export const MOODS = ['takes', 'cut', 'away', 'busy', 'silent'];

export class PostOffice {
  /** Message-IDs as they were taken, in order; a letter sent twice is there twice. */
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
      // A letter that broke off was not taken.
      onData: (stream, session, done) => void this.#take(stream, done).catch(() => undefined),
    });
    this.#server.on('error', () => undefined); // connections that are cut
    this.#server.server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    // While it is away nobody else may come by its port.
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

  /** Changes how it behaves; whoever waits for an answer of before is cut off. */
  async become(mood) {
    const before = this.mood;
    this.mood = mood;
    if (mood === 'away') await this.close();
    else if (before === 'away') await this.open();
    else this.#cut();
  }
}
