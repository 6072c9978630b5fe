import { randomUUID } from 'node:crypto';
import type { LoggerService } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Level, Logger } from 'pino';
import type { Config } from '../config/config.js';
import { withSecurityScope } from '../security/security-scope.js';
import type { GuardedRequest } from './caller.js';
import { redactUrl } from './redact-url.js';
import { traceContextOf } from './trace-context.js';

/** Unavailable and full stores are logged as errors where they are detected. */
const LOGGED_ELSEWHERE: readonly number[] = [503, 507];

function levelOf(path: string, status: number): Level {
  if (status >= 500) return LOGGED_ELSEWHERE.includes(status) ? 'warn' : 'error';
  return path.startsWith('/api/') ? 'info' : 'debug';
}

/**
 * Logs one line per response: method, path, status and duration in milliseconds; `cut` when the client did not receive all of it. API calls are logged
 * at info, files and probes at debug, server errors at warn or error. `uid` is the session's user, `address` the client's unless LOG_ADDRESSES is false.
 * Every line about a request carries its id, which is also sent as `X-Request-Id`, and its trace id.
 */
export function logRequests(server: FastifyInstance, { LOG_ADDRESSES }: Pick<Config, 'LOG_ADDRESSES'>): void {
  server.setGenReqId(() => randomUUID());
  server.setChildLoggerFactory((log, { reqId }, options, raw) => {
    const trace = traceContextOf(raw.headers.traceparent);
    return log.child({ requestId: reqId as unknown, ...(trace === null ? {} : { traceId: trace.traceId }) }, options);
  });
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('X-Request-Id', request.id);
    done();
  });
  // After the body was read: a scope does not outlast the events of a stream.
  server.addHook('preHandler', (request, _reply, done) => withSecurityScope({ requestId: request.id, address: request.ip, actor: null }, done));
  server.addHook('onResponse', (request: GuardedRequest, reply, done) => {
    const path = redactUrl(request.url);
    const cut = reply.raw.writableFinished ? {} : { cut: true };
    const uid = request.caller === undefined ? {} : { uid: request.caller.uid };
    const address = LOG_ADDRESSES === 'true' ? { address: request.ip } : {};
    const facts = { method: request.method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime), ...uid, ...address, ...cut };
    request.log[levelOf(path, reply.statusCode)](facts, 'request answered');
    done();
  });
}

/** Writes Nest's own messages to our log. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, stack?: string, context?: string): void {
    this.logger.error({ context, stack }, String(message));
  }

  fatal(message: unknown, context?: string): void {
    this.logger.fatal({ context }, String(message));
  }
}
