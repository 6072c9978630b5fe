import { Writable } from 'node:stream';
import { beforeEach, expect, test } from '@jest/globals';
import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { pino } from 'pino';
import type { GuardedRequest } from './caller.js';
import { logRequests } from './request-log.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let server: FastifyInstance;
let lines: Readonly<Record<string, unknown>>[];

beforeEach(() => begin('true'));

function begin(LOG_ADDRESSES: 'true' | 'false'): void {
  lines = [];
  const to = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Readonly<Record<string, unknown>>);
      done();
    },
  });
  const log: FastifyBaseLogger = pino({ level: 'debug' }, to);
  server = fastify({ loggerInstance: log, logController: new LogController({ disableRequestLogging: true }) });
  logRequests(server, { LOG_ADDRESSES });
  server.get('/api/status/:status', (request, reply) => {
    request.log.warn('from the handler');
    return reply.status(Number((request.params as { status: string }).status)).send('');
  });
  server.get('/health/live', () => 'ok');
  server.get('/api/mine', (request: GuardedRequest) => {
    request.caller = { uid: 'ana', isGuest: false, sessionId: 's' };
    return 'ok';
  });
}

test('every line of a request has its id and its trace, and the response carries the id', async () => {
  const { headers } = await server.inject({ url: '/api/status/200', headers: { traceparent: `00-${TRACE}-00f067aa0ba902b7-01`, 'x-request-id': 'mine' } });
  const requestId = headers['x-request-id'];
  expect(requestId).toMatch(UUID);
  expect(lines.map((line) => [line.msg, line.requestId, line.traceId])).toEqual([
    ['from the handler', requestId, TRACE],
    ['request answered', requestId, TRACE],
  ]);
});

test('without a well-formed traceparent there is no trace id', async () => {
  await server.inject({ url: '/health/live', headers: { traceparent: 'x' } });
  expect(lines.map((line) => [line.msg, 'traceId' in line])).toEqual([['request answered', false]]);
});

test.each([
  [200, 'info'],
  [404, 'info'],
  [429, 'info'],
  [500, 'error'],
  [503, 'warn'],
  [507, 'warn'],
])('%i is logged at %s', async (status, level) => {
  await server.inject({ url: `/api/status/${status}?secret=1` });
  const { method, path, ...line } = lines.at(-1) ?? {};
  expect([method, path, line.status, line.level]).toEqual(['GET', `/api/status/${status}`, status, pino.levels.values[level]]);
});

test('probes are logged at debug', async () => {
  await server.inject({ url: '/health/live' });
  expect(lines.map(({ level }) => level)).toEqual([pino.levels.values.debug]);
});

test("a line names the session's user and the client's address", async () => {
  await server.inject({ url: '/api/mine' });
  await server.inject({ url: '/api/status/200' });
  expect(lines.filter(({ msg }) => msg === 'request answered').map(({ uid, address }) => [uid, address])).toEqual([
    ['ana', '127.0.0.1'],
    [undefined, '127.0.0.1'],
  ]);
});

test('with LOG_ADDRESSES=false no line has an address', async () => {
  begin('false');
  await server.inject({ url: '/api/mine' });
  expect(lines.map((line) => [line.uid, 'address' in line])).toEqual([['ana', false]]);
});
