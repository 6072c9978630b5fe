import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { freePort } from '../../testing/free-port.js';
import { manualClock, type TemporaryVault, temporaryVault } from '../../testing/temporary-vault.js';
import { DELIVERY_TIMES, DeliverLetters } from './deliver-letters.js';
import { Letters } from './letters.js';
import { SmtpMailer } from './smtp-mailer.js';

const letter = { to: 'ana@example.org', subject: 'Reset your password', text: 'Open this', key: 'reset-1' };
const HOUR_MS = 60 * 60_000;

let place: TemporaryVault;
let clock: ReturnType<typeof manualClock>;
let letters: Letters;
let said: string[];
let post: PostOffice;
let loop: DeliverLetters | undefined;
let mailer: SmtpMailer | undefined;

/** A real SMTP server that keeps what it takes; `answer` may refuse a recipient, `onData` the whole. */
class PostOffice {
  readonly taken: string[] = [];
  private server: SMTPServer | undefined;
  private port: number | undefined;
  /** What is said to a recipient; null takes them. */
  answer: (to: string) => number | null = () => null;

  get url(): string {
    return `smtp://127.0.0.1:${this.port ?? 0}`;
  }

  async open(): Promise<this> {
    const onRcptTo: SMTPServerOptions['onRcptTo'] = ({ address }, _session, done) => {
      const code = this.answer(address);
      done(code === null ? undefined : Object.assign(new Error('not now'), { responseCode: code }));
    };
    const onData: SMTPServerOptions['onData'] = (stream, _session, done) => {
      let message = '';
      stream.setEncoding('utf8').on('data', (text: string) => (message += text));
      stream.on('end', () => {
        this.taken.push(/^Message-ID: <(.*)>/im.exec(message)?.[1] ?? message);
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

const deliver = async (url = post.url): Promise<DeliverLetters> => {
  mailer = new SmtpMailer({ url, from: 'Roughmix <mail@roughmix.example>' });
  const log = {
    info: (_facts: object, message: string) => said.push(message),
    error: (facts: object, message: string) => said.push(`${message} ${JSON.stringify(facts)}`),
  };
  loop = new DeliverLetters({ letters, mailer, clock: clock.now, log, times: { ...DELIVERY_TIMES, look: 10 } });
  await loop.start();
  return loop;
};
const end = async (): Promise<void> => {
  await loop?.stop();
  await mailer?.close();
};
const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
};
const waiting = async (): Promise<number> => (await letters.status()).waiting;
const tries = async (): Promise<readonly number[]> => (await letters.waiting()).map(({ body }) => body.tries);

beforeEach(async () => {
  place = await temporaryVault();
  clock = manualClock();
  letters = await Letters.open(place.vault, clock.now);
  said = [];
  post = await new PostOffice().open();
});
afterEach(async () => {
  await end();
  await post.close();
  await place.remove();
});

test('a letter is delivered, and then nothing of it is kept but its name', async () => {
  expect(await letters.send(letter, 'ana')).toBe('reset-1');
  await deliver();
  await until(async () => (await waiting()) === 0);
  expect(post.taken).toEqual(['reset-1@roughmix.example']);
  const [record] = await place.vault.find('letters', {});
  expect(record?.body).toEqual({ state: 'sent', uid: 'ana', endedAt: clock.now() });
});

test('one sent while letters are delivered goes out at once', async () => {
  await deliver();
  await letters.send(letter);
  await until(() => post.taken.length === 1);
  expect(post.taken).toEqual(['reset-1@roughmix.example']);
});

test('one that a process wrote whose clock is ahead goes out at once', async () => {
  const ahead = await Letters.open(place.vault, () => clock.now() + HOUR_MS / 6);
  await ahead.send(letter);
  await deliver();
  await until(() => post.taken.length === 1);
  expect(post.taken).toEqual(['reset-1@roughmix.example']);
});

test('the same key twice is one letter, also after it was delivered', async () => {
  for (let times = 0; times < 2; times += 1) await letters.send({ ...letter, text: `for the ${times}. time` });
  await deliver();
  await until(async () => (await waiting()) === 0);
  await letters.send(letter);
  await letters.send({ ...letter, key: 'reset-2' });
  await until(() => post.taken.length > 1);
  expect(post.taken).toEqual(['reset-1@roughmix.example', 'reset-2@roughmix.example']);
});

test('what is not one address is refused before it is on its way', async () => {
  await expect(letters.send({ ...letter, to: 'ana@example.org, eve@example.org' })).rejects.toMatchObject({ name: 'LetterRefused' });
  expect(await waiting()).toBe(0);
});

test('while the server is away letters wait, ever longer, and go out when it is back; the log tells it once', async () => {
  await post.close();
  await letters.send(letter);
  await deliver();
  let due = 0;
  for (const [nth, wait] of [5_000, 10_000, 20_000].entries()) {
    clock.move(due);
    await until(async () => (await tries())[0] === nth + 1);
    const [found] = await letters.waiting();
    expect((found?.body.dueAt ?? 0) - clock.now()).toBe(wait);
    due = wait;
  }
  // No try is under way: the next is due later.
  await post.open();
  clock.move(HOUR_MS);
  await until(() => post.taken.length === 1);
  await until(() => said.length > 1);
  expect(said).toEqual([expect.stringMatching(/^a letter was not taken: it is tried again /), 'letters are taken again']);
  expect(said.join()).not.toContain('ana@');
});

test('no wait is longer than an hour', async () => {
  post.answer = () => 451;
  await letters.send(letter);
  await deliver();
  for (let nth = 1; nth < 15; nth += 1) {
    await until(async () => (await tries())[0] === nth);
    clock.move(HOUR_MS);
  }
  const [found] = await letters.waiting();
  expect((found?.body.dueAt ?? 0) - clock.now()).toBeLessThanOrEqual(HOUR_MS);
});

test('a letter that waits does not hold up the others', async () => {
  post.answer = (to) => (to === 'ana@example.org' ? 451 : null);
  await letters.send(letter);
  await letters.send({ ...letter, to: 'bob@example.org', key: 'other' });
  await deliver();
  await until(() => post.taken.length === 1);
  expect(post.taken).toEqual(['other@roughmix.example']);
  // The one that was taken is taken away a moment later.
  await until(async () => (await waiting()) === 1);
});

describe('a letter that cannot be delivered', () => {
  test('is given up at once when it is refused for good, told with its reason, and its text is gone', async () => {
    post.answer = () => 550;
    await letters.send({ ...letter, text: 'a text of its own' });
    await deliver();
    await until(async () => (await waiting()) === 0);
    // It is told once its text is gone.
    await until(() => said.length > 0);
    const at = clock.now();
    const reason = 'the mail server refused the letter (550)';
    const undelivered = [{ letter: 'reset-1', to: letter.to, writtenAt: at, endedAt: at, tries: 1, reason }];
    expect(await letters.status()).toEqual({ waiting: 0, oldest: null, lastReason: null, undelivered });
    expect(said).toEqual([`a letter could not be delivered and was given up ${JSON.stringify({ letter: 'reset-1', tries: 1, reason })}`]);
    expect(JSON.stringify(await place.vault.find('letters', {}))).not.toContain('a text of its own');
  });

  test('is given up after three days, with the reason of its last try', async () => {
    post.answer = () => 451;
    await letters.send(letter);
    await deliver();
    await until(async () => (await tries())[0] === 1);
    clock.move(72 * HOUR_MS);
    await until(async () => (await waiting()) === 0);
    expect((await letters.status()).undelivered.map(({ reason }) => reason)).toEqual(['too old: the mail server did not take the letter (EENVELOPE)']);
  });

  test('is told for thirty days', async () => {
    post.answer = () => 550;
    await letters.send(letter);
    const first = await deliver();
    await until(async () => (await letters.status()).undelivered.length === 1);
    await first.stop();
    clock.move(30 * 24 * HOUR_MS + 1);
    await letters.sweep();
    expect(await place.vault.find('letters', {})).toEqual([]);
  });
});

test('whoever is erased takes their letters along, by uid and by address', async () => {
  await post.close();
  await letters.send(letter, 'ana');
  await letters.send({ ...letter, key: 'invited', to: 'Ana@Example.org' });
  await letters.send({ ...letter, key: 'other', to: 'bob@example.org' }, 'bob');
  await letters.forget('ana', 'ana@example.org');
  expect((await letters.waiting()).map(({ id }) => id)).toEqual(['other']);
});

test('one process after another delivers: what waits survives the end of the one before', async () => {
  await post.close();
  await letters.send(letter);
  await deliver();
  await until(async () => (await tries())[0] === 1);
  await end();
  await post.open();
  clock.move(HOUR_MS);
  letters = await Letters.open(place.vault, clock.now);
  await deliver();
  await until(() => post.taken.length === 1);
  expect(post.taken).toEqual(['reset-1@roughmix.example']);
});
