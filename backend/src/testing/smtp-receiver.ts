import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

/** A server that specs talk to over SMTP, on a free port. */
export interface TestSmtpServer {
  readonly url: string;
  stop(): Promise<void>;
}

export interface SmtpReceiver extends TestSmtpServer {
  /** The messages that it accepted, oldest first. */
  readonly received: readonly string[];
  /** As `received`, once there are as many. @throws after 20 s */
  messages(count: number): Promise<readonly string[]>;
}

const DEADLINE_MS = 20_000;

/** Accepts connections and leaves the rest to `talk`. */
export async function smtpServer(talk: (socket: Socket) => unknown): Promise<TestSmtpServer> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    talk(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Accepts every e-mail, unless it replies otherwise to the recipient. */
export async function smtpReceiver(replyToRecipient = '250 ok'): Promise<SmtpReceiver> {
  const received: string[] = [];
  const server = await smtpServer((socket) => converse(socket, replyToRecipient, received));
  return { ...server, received, messages: (count) => atLeast(count, received) };
}

async function atLeast(count: number, received: readonly string[]): Promise<readonly string[]> {
  for (const until = Date.now() + DEADLINE_MS; received.length < count; await pause(10)) {
    if (Date.now() > until) throw new Error(`${received.length} e-mails instead of ${count} were received`);
  }
  return received;
}

/** The subset of RFC 5321 that delivering an e-mail needs. */
function converse(socket: Socket, replyToRecipient: string, received: string[]): void {
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
    return say(line.startsWith('RCPT') ? replyToRecipient : '250 ok');
  });
}
