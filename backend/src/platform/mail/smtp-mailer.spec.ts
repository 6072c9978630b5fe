import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';
import { mailerContract } from './mailer.contract.js';
import { SmtpMailer } from './smtp-mailer.js';

const from = 'Roughmix <mail@roughmix.example>';
const email = { to: 'ana@example.org', subject: 'One', text: 'first', key: 'k1', date: 1_700_000_000_000 };
const timeouts = { connection: 300, greeting: 300, socket: 300 };

mailerContract('an SMTP server', async () => {
  const received: string[] = [];
  const { server, url } = await listen((socket) => converse(socket, { RCPT: '250 ok' }, received));
  return {
    open: async () => new SmtpMailer({ url, from }),
    received: async () => received,
    remove: () => stop(server),
  };
});

test.each([
  ['550 no such person', 'EmailRefused', 'the mail server refused the e-mail (550)'],
  ['451 try again later', 'ServiceUnavailable', 'the mail server did not accept the e-mail (EENVELOPE)'],
])('the reply %j to a recipient throws %s', async (reply, name, message) => {
  const { server, url } = await listen((socket) => converse(socket, { RCPT: reply }, []));
  const mailer = new SmtpMailer({ url, from });
  await expect(mailer.send(email)).rejects.toMatchObject({ name, message });
  await mailer.close();
  await stop(server);
});

test('a server that sends no greeting, does not reply or does not exist is reported as unavailable within the timeout', async () => {
  const silent = await listen(() => undefined);
  const greeting = await listen((socket) => socket.write('220 hello\r\n'));
  for (const url of [silent.url, greeting.url, 'smtp://127.0.0.1:1']) {
    const mailer = new SmtpMailer({ url, from, timeouts });
    await expect(mailer.send(email)).rejects.toMatchObject({ name: 'ServiceUnavailable' });
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

/** The subset of RFC 5321 that delivering an e-mail needs. */
function converse(socket: Socket, replies: { readonly RCPT: string }, received: string[]): void {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let content: string[] | null = null;
  say('220 test');
  createInterface({ input: socket, crlfDelay: Infinity }).on('line', (line) => {
    if (content && line !== '.') return void content.push(line.replace(/^\.\./, '.'));
    if (content) {
      received.push(content.join('\r\n'));
      content = null;
      return say('250 accepted');
    }
    if (line === 'DATA') {
      content = [];
      return say('354 go on');
    }
    if (line === 'QUIT') return socket.end('221 bye\r\n');
    return say(line.startsWith('RCPT') ? replies.RCPT : '250 ok');
  });
}
