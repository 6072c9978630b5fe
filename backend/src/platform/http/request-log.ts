import type { LoggerService } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { redactUrl } from './redact-url.js';

/** One line for each request that was answered: method, path, status and how long it took (milliseconds). Files of the page are left out. */
export function logRequests(server: FastifyInstance): void {
  server.addHook('onResponse', (request, reply, done) => {
    const path = redactUrl(request.url);
    const facts = { method: request.method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime), requestId: request.id };
    if (path.startsWith('/api/')) request.log.info(facts, 'answered');
    else request.log.debug(facts, 'answered');
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
