import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { Drain } from './drain.js';

const BRIEF = { notice: 50, answers: 100 };
/** An upper bound: waiting ends as soon as no request is pending. */
const LONG_MS = 20_000;
const HOST = 'Host: here\r\n';

let server: Server;
let drain: Drain;
const clients: Socket[] = [];

async function serve(answer: RequestListener): Promise<void> {
  server = createServer(answer);
  drain = new Drain(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

/** A connection; `text` is everything received until it was closed. */
async function open(): Promise<{ readonly socket: Socket; readonly text: Promise<string> }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  clients.push(socket);
  await once(socket, 'connect');
  const chunks: Buffer[] = [];
  const text = new Promise<string>((resolve) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  });
  return { socket, text };
}

const head = (text: string): readonly string[] => text.split('\r\n').filter((line) => /^(?:HTTP|Connection)/.test(line));

afterEach(() => {
  for (const socket of clients.splice(0)) socket.destroy();
  server.closeAllConnections();
});

test('a pending request is answered with Connection: close, and the server stops listening', async () => {
  let finish = (): void => undefined;
  await serve((_request, answer) => void (finish = () => answer.end('done')));
  const { socket, text } = await open();
  const received = once(server, 'request');
  socket.write(`GET / HTTP/1.1\r\n${HOST}\r\n`);
  await received;
  await drain.stopListening(0);
  expect([server.listening, drain.pendingRequests]).toEqual([false, 1]);
  finish();
  expect(await drain.waitForAnswers(LONG_MS)).toBe(0);
  expect(head(await text)).toEqual(['HTTP/1.1 200 OK', 'Connection: close']);
});

test('during the notice period new connections are served with Connection: close; afterwards idle ones are closed', async () => {
  await serve((_request, answer) => void answer.end('done'));
  const idle = await open();
  idle.socket.write(`GET / HTTP/1.1\r\n${HOST}\r\n`);
  await once(idle.socket, 'data');
  const stopping = drain.stopListening(BRIEF.notice);
  const late = await open();
  late.socket.write(`GET / HTTP/1.1\r\n${HOST}\r\n`);
  expect(head(await late.text)).toEqual(['HTTP/1.1 200 OK', 'Connection: close']);
  await stopping;
  expect(head(await idle.text)).toEqual(['HTTP/1.1 200 OK', 'Connection: keep-alive']);
  expect(await drain.waitForAnswers(LONG_MS)).toBe(0);
});

test('the server waits for a request that has only partly arrived', async () => {
  const bodies: string[] = [];
  await serve((request: IncomingMessage, answer) => {
    request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
    request.on('end', () => answer.end('done'));
  });
  const { socket, text } = await open();
  const received = once(server, 'request');
  socket.write(`POST / HTTP/1.1\r\n${HOST}Content-Length: 4\r\n\r\nha`);
  await received;
  await drain.stopListening(0);
  socket.write('lf');
  expect(await drain.waitForAnswers(LONG_MS)).toBe(0);
  expect([head(await text)[0], bodies.join('')]).toEqual(['HTTP/1.1 200 OK', 'half']);
});

test('requests that take too long are cut off and counted', async () => {
  await serve((_request, answer) => void answer.write('for ever'));
  const { socket, text } = await open();
  socket.write(`GET / HTTP/1.1\r\n${HOST}\r\n`);
  await once(socket, 'data');
  await drain.stopListening(0);
  expect(await drain.waitForAnswers(BRIEF.answers)).toBe(1);
  expect(await text).toContain('for ever');
});

test('without connections there is no notice period', async () => {
  await serve(() => undefined);
  const startedAt = performance.now();
  await drain.stopListening(60_000);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
