import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { detailOf, detailWith, PROBLEMS, type Problem, type ProblemCode, type ProblemExtras, statusOf } from '@roughmix/contracts/shared/problems.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import { Refused } from '../../kernel/refusal.js';
import { Throttled } from '../auth/throttled.js';
import { AppendTooLarge } from '../event-store/event-store.js';
import { EventsMissing } from '../streams/folded-stream.js';
import { EventUnreadable } from '../streams/opened-events.js';
import { DiskFull, ServiceUnavailable } from '../store-errors.js';
import { routeTarget } from '../security/route-target.js';
import { SecurityLog } from '../security/security-log.js';
import { redactUrl } from './redact-url.js';

/** How long clients should wait after some problems. */
export const RETRY_AFTER_SECONDS: Partial<Record<ProblemCode, number>> = { throttled: 60, 'store.away': 2, 'store.busy': 1, 'upload.busy': 5 };

/** The form of `request.invalid`: a list of the invalid fields. Rules that check a single field name only that. */
function withFieldErrors(code: ProblemCode, { field, ...extras }: ProblemExtras): ProblemExtras {
  if (code !== 'request.invalid' || field === undefined) return { ...extras, ...(field === undefined ? {} : { field }) };
  return { ...extras, errors: [{ field, code: 'invalid', detail: detailOf(code) }] };
}

/** The body of a refused request. */
export const problemOf = (code: ProblemCode, extras: ProblemExtras = {}): Problem => ({
  type: 'about:blank',
  title: STATUS_CODES[statusOf(code)] ?? 'Error',
  status: statusOf(code),
  code,
  detail: detailWith(code, extras.limit),
  ...withFieldErrors(code, extras),
});

const BY_STATUS: Partial<Record<number, ProblemCode>> = {
  400: 'request.broken-json',
  404: 'route.not-found',
  405: 'route.not-found',
  408: 'request.timeout',
  413: 'request.too-large',
  414: 'request.headers-too-large',
  415: 'request.media-type',
  416: 'range.invalid',
  429: 'throttled',
  431: 'request.headers-too-large',
};

const codeOfStatus = (status: number): ProblemCode | null => BY_STATUS[status] ?? (status >= 400 && status < 500 ? 'request.invalid' : null);

const statusOfError = (error: unknown): number | null => {
  if (error instanceof HttpException) return error.getStatus();
  const status: unknown = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : null;
  return typeof status === 'number' ? status : null;
};

const isUnreadable = (error: unknown): boolean => error instanceof EventUnreadable || error instanceof EventsMissing;

/** The problem code of an error; null for an internal error. */
export function codeOf(error: unknown): ProblemCode | null {
  if (error instanceof Refused) return error.code;
  if (error instanceof ServiceUnavailable) return 'store.away';
  if (error instanceof DiskFull) return 'disk.full';
  if (isUnreadable(error)) return 'stream.unreadable';
  if (error instanceof AppendTooLarge) return 'limit.append';
  const status = statusOfError(error);
  return status === null ? null : codeOfStatus(status);
}

/** Answers every error with a problem body. Internal errors are logged, their response reveals no details; refused access goes to the security log. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly security: SecurityLog) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const code = codeOf(error);
    if (code === null || isUnreadable(error)) request.log.error({ err: error }, 'request failed');
    if (code !== null) this.security.refused(code, routeTarget(request));
    if (error instanceof Throttled) void reply.header('Retry-After', String(error.retryAfterSeconds));
    if (error instanceof Refused && error.position !== undefined) void reply.header('X-Position', String(error.position));
    sendProblem(reply, code ?? 'internal', { ...(error instanceof Refused ? error.extras : {}), instance: redactUrl(request.url) });
  }
}

/** Sends a problem body with its headers. */
export function sendProblem(reply: FastifyReply, code: ProblemCode, extras: ProblemExtras): void {
  if (reply.sent) return;
  const retryAfter = RETRY_AFTER_SECONDS[code];
  if (retryAfter !== undefined && !reply.hasHeader('Retry-After')) void reply.header('Retry-After', String(retryAfter));
  void reply
    .status(PROBLEMS[code][0])
    .header('Content-Type', 'application/problem+json; charset=utf-8')
    .header('Cache-Control', 'no-store')
    .send(problemOf(code, extras));
}
