import type { LoggerService } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

const ADMIN_KEY = /^(\/api\/admin\/)[^/?]+/;
const UPLOAD_TOKEN = /^(\/api\/storage\/put\/)[^/?]+/;

/** A request's path as it may stand in a log: without keys, tokens and questions. */
export const redactUrl = (url: string): string => (url.split('?')[0] ?? '').replace(ADMIN_KEY, '$1[key]').replace(UPLOAD_TOKEN, '$1[token]');

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
