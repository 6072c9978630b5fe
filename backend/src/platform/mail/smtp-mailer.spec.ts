import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';
import { mailerContract } from './mailer.contract.js';
import { SmtpMailer } from './smtp-mailer.js';

const from = 'Roughmix <mail@roughmix.example>';
const letter = { to: 'ana@example.org', subject: 'One', text: 'first', key: 'k1' };
const timeouts = { connection: 300, greeting: 300, socket: 300 };

mailerContract('an SMTP server', async () => {
  const letters: string[] = [];
  const { server, url } = await listen((socket) => converse(socket, { RCPT: '250 ok' }, letters));
  return {
    open: async () => new SmtpMailer({ url, from }),
    received: async () => letters,
    remove: () => stop(server),
  };
});

test.each([
  ['550 no such person', 'LetterRefused', 'the mail server refused the letter (550)'],
  ['451 come back later', 'StoreAway', 'the mail server did not take the letter (EENVELOPE)'],
])('a recipient answered with %j is %s', async (answer, name, message) => {
  const { server, url } = await listen((socket) => converse(socket, { RCPT: answer }, []));
  const mailer = new SmtpMailer({ url, from });
  await expect(mailer.send(letter)).rejects.toMatchObject({ name, message });
  await mailer.close();
  await stop(server);
});

test('a server that never greets, never answers or is not there is away within the time given', async () => {
  const silent = await listen(() => undefined);
  const greeting = await listen((socket) => socket.write('220 hello\r\n'));
  for (const url of [silent.url, greeting.url, 'smtp://127.0.0.1:1']) {
    const mailer = new SmtpMailer({ url, from, timeouts });
    await expect(mailer.send(letter)).rejects.toMatchObject({ name: 'StoreAway' });
    await mailer.close();
  }
  await stop(silent.server);
  await stop(greeting.server);
});

const sockets = new WeakMap<Server, Set<Socket>>();

async function listen(talk: (socket: Socket) => unknown): Promise<{ readonly server: Server; readonly url: string }> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    talk(socket);
  });
  sockets.set(server, open);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function stop(server: Server): Promise<void> {
  for (const socket of sockets.get(server) ?? []) socket.destroy();
  server.close();
  await once(server, 'close');
}

/** As much of RFC 5321 as a letter needs. */
function converse(socket: Socket, answers: { readonly RCPT: string }, letters: string[]): void {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let content: string[] | null = null;
  say('220 test');
  createInterface({ input: socket, crlfDelay: Infinity }).on('line', (line) => {
    if (content && line !== '.') return void content.push(line.replace(/^\.\./, '.'));
    if (content) {
      letters.push(content.join('\r\n'));
      content = null;
      return say('250 taken');
    }
    if (line === 'DATA') {
      content = [];
      return say('354 go on');
    }
    if (line === 'QUIT') return socket.end('221 bye\r\n');
    return say(line.startsWith('RCPT') ? answers.RCPT : '250 ok');
  });
}
