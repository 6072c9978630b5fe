import { randomUUID } from 'node:crypto';
import type { LoggerService } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Level, Logger } from 'pino';
import { redactUrl } from './redact-url.js';
import { traceContextOf } from './trace-context.js';

/** A store that is away or full is told by whoever watches over it; anything else that the server could not do is a fault of ours. */
const TOLD_ELSEWHERE: readonly number[] = [503, 507];

function levelOf(path: string, status: number): Level {
  if (status >= 500) return TOLD_ELSEWHERE.includes(status) ? 'warn' : 'error';
  return path.startsWith('/api/') ? 'info' : 'debug';
}

/**
 * One line for each request that was answered: method, path, status and how long it took (milliseconds); `cut` when its whole answer was not taken.
 * Calls of the API at info, files and probes at debug, what the server could not do at warn and error. Every line of a request has its id, which is
 * also answered as `X-Request-Id`, and the trace it belongs to.
 */
export function logRequests(server: FastifyInstance): void {
  server.setGenReqId(() => randomUUID());
  server.setChildLoggerFactory((log, { reqId }, options, raw) => {
    const trace = traceContextOf(raw.headers.traceparent);
    return log.child({ requestId: reqId as unknown, ...(trace === null ? {} : { traceId: trace.traceId }) }, options);
  });
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('X-Request-Id', request.id);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const path = redactUrl(request.url);
    const cut = reply.raw.writableFinished ? {} : { cut: true };
    const facts = { method: request.method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime), ...cut };
    request.log[levelOf(path, reply.statusCode)](facts, 'answered');
    done();
  });
}

/** What Nest itself has to say, in the same log. */
export class NestLog implements LoggerService {
  constructor(private readonly to: Logger) {}

  log(message: unknown, context?: string): void {
    this.to.debug({ context }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.to.warn({ context }, String(message));
  }

  error(message: unknown, stack?: string, context?: string): void {
    this.to.error({ context, stack }, String(message));
  }

  fatal(message: unknown, context?: string): void {
    this.to.fatal({ context }, String(message));
  }
}
