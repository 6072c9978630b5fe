import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { STATUS_CODES } from 'node:http';
import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { statusOf } from '@roughmix/contracts/shared/problems.js';
import type { FastifyInstance } from 'fastify';
import { problemOf, sendProblem } from './problem.filter.js';
import { redactUrl } from './redact-url.js';
import { DATA_HEADERS } from './security-headers.js';

/** How long somebody may go on sending a body that was refused, so that they can read the answer. */
const LINGER_MS = 2_000;

/**
 * How long a client may take, in milliseconds. The headers of a request; a request whole (as long as an upload's address holds); between two octets, in either
 * direction; between two requests on one connection, which is more than the minute that most load balancers keep idle ones. Bodies of JSON have a deadline of their own.
 */
export const SERVER_TIMES = { headersTimeout: 15_000, requestTimeout: 60 * 60_000, connectionTimeout: 5 * 60_000, keepAliveTimeout: 72_000 } as const;

/** Node looks this often for connections whose time is over. */
export const CONNECTION_CHECK_MS = 5_000;

const CODES: Readonly<Partial<Record<string, ProblemCode>>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request.timeout',
  HPE_HEADER_OVERFLOW: 'request.headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'request.too-large',
};

function rawAnswer(code: ProblemCode): string {
  const body = JSON.stringify(problemOf(code));
  const headers = {
    ...DATA_HEADERS,
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${statusOf(code)} ${STATUS_CODES[statusOf(code)] ?? ''}\r\n${lines.join('')}\r\n${body}`;
}

/** Answers what is no request as Node reads them. What was sent is neither logged nor repeated: it may hold secrets. */
export function refuseClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.end(rawAnswer(CODES[error.code ?? ''] ?? 'request.malformed'), () => socket.destroy());
  else socket.destroy();
}

/** RFC 9112, 3.2: HTTP/1.1 without exactly one Host is refused. */
function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  return hosts === 1 || (httpVersion === '1.0' && hosts === 0);
}

const hasBody = ({ headers }: IncomingMessage): boolean => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Ends a connection whose request was answered before it was sent whole, unless the rest comes soon. */
function linger(request: IncomingMessage, answer: ServerResponse): void {
  if (!hasBody(request)) return;
  answer.once('finish', () => {
    if (request.complete) return;
    const { socket } = request;
    // What was injected came by no connection.
    if (!(socket instanceof Socket)) return;
    const end = setTimeout(() => request.complete || socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(end));
  });
}

/** Refuses what Node lets through and HTTP does not, and does not read for ever what nobody wants. */
export function refuseMalformed(server: FastifyInstance): void {
  server.server.on('checkExpectation', (_request: IncomingMessage, answer: ServerResponse) => {
    answer.socket?.end(rawAnswer('request.malformed'));
  });
  server.addHook('onRequest', (request, reply, done) => {
    linger(request.raw, reply.raw);
    if (hasOneHost(request.raw)) done();
    else sendProblem(reply, 'request.malformed', { instance: redactUrl(request.url) });
  });
}
