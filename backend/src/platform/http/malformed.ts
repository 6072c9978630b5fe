import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import type { FastifyInstance } from 'fastify';
import { sendProblem } from './problem.filter.js';
import { rawResponse } from './raw-response.js';
import { redactUrl } from './redact-url.js';

/** How long a client may continue to send a refused body: closing at once would reset the connection before it reads the response. */
const LINGER_MS = 2_000;

/** Timeouts of the server, in milliseconds. JSON bodies have a shorter deadline of their own. */
export const SERVER_TIMEOUTS = {
  headersTimeout: 15_000,
  /** For a whole request: as long as an upload's signed URL is valid. */
  requestTimeout: 60 * 60_000,
  /** Without a byte in either direction. */
  connectionTimeout: 5 * 60_000,
  /** Longer than most load balancers keep idle connections (60 s), so that they close them first. */
  keepAliveTimeout: 72_000,
} as const;

/** How often Node checks connections for timeouts. */
export const CONNECTION_CHECK_MS = 5_000;

const CODES: Readonly<Partial<Record<string, ProblemCode>>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request.timeout',
  HPE_HEADER_OVERFLOW: 'request.headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'request.too-large',
};

/** Answers bytes that Node cannot parse as a request. They are neither logged nor echoed, because they may contain secrets. */
export function refuseClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.end(rawResponse(CODES[error.code ?? ''] ?? 'request.malformed'), () => socket.destroy());
  else socket.destroy();
}

/** HTTP/1.1 requires exactly one Host (RFC 9112, section 3.2). */
function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  return hosts === 1 || (httpVersion === '1.0' && hosts === 0);
}

const hasBody = ({ headers }: IncomingMessage): boolean => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Closes a connection whose request was answered before it had arrived completely, unless the rest arrives soon. */
function linger(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return;
  response.once('finish', () => {
    if (request.complete) return;
    const { socket } = request;
    // Injected requests (in specs) have no socket.
    if (!(socket instanceof Socket)) return;
    const timeout = setTimeout(() => request.complete || socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(timeout));
  });
}

/** Refuses requests that Node accepts although HTTP forbids them, and limits how long a refused body is read. */
export function refuseMalformed(server: FastifyInstance): void {
  server.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    response.socket?.end(rawResponse('request.malformed'));
  });
  server.addHook('onRequest', (request, reply, done) => {
    linger(request.raw, reply.raw);
    if (hasOneHost(request.raw)) done();
    else sendProblem(reply, 'request.malformed', { instance: redactUrl(request.url) });
  });
}
