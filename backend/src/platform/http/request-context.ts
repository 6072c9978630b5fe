import { createHmac, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { COMMAND_ID_FORM } from '@roughmix/contracts/shared/ids.js';
import type { FastifyReply } from 'fastify';
import { Refused } from '../../kernel/refusal.js';
import { systemClock } from '../clock.js';
import type { CommandContext } from '../streams/streams.js';
import { callerOf, type GuardedRequest } from './caller.js';
import { prefersMinimal } from './prefer.js';
import { traceContextOf } from './trace-context.js';

/** HMAC of a request under a vault key. Detects an `Idempotency-Key` that is reused for another request. */
export type RequestHash = (method: string, path: string, body: unknown) => string;

/** The order of object members does not matter. @throws Refused `request.invalid` for a body nested too deeply */
export const requestHashWith =
  (key: Buffer): RequestHash =>
  (method, path, body) =>
    createHmac('sha256', key)
      .update(JSON.stringify([method, path, canonical(body)]))
      .digest('base64url');

function canonical(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === LIMITS.jsonDepth) throw new Refused('request.invalid');
  if (Array.isArray(value)) return value.map((member: unknown) => canonical(member, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, canonical(member, depth + 1)]),
  );
}

function commandIdOf(request: GuardedRequest): string {
  const given = request.headers['idempotency-key'];
  if (given === undefined) return randomUUID();
  if (typeof given !== 'string' || !COMMAND_ID_FORM.test(given)) throw new Refused('request.invalid', { field: 'Idempotency-Key' });
  return given;
}

/** The context of a request's command; also sets `X-Command-Id`. @throws Refused `request.media-type` for a body that is not JSON */
function commandContextOf(request: GuardedRequest, reply: FastifyReply, hash: RequestHash): CommandContext {
  if (request.body instanceof Readable) throw new Refused('request.media-type');
  const commandId = commandIdOf(request);
  void reply.header('X-Command-Id', commandId);
  const trace = traceContextOf(request.headers.traceparent);
  return {
    actor: { uid: callerOf(request).uid },
    at: systemClock(),
    commandId,
    request: hash(request.method, request.url.split('?')[0] ?? '', request.body),
    correlationId: trace?.traceId ?? request.id,
    causationId: null,
    ...(prefersMinimal(request.headers) ? { isMinimal: true } : {}),
    ...(trace === null ? {} : { traceparent: trace.traceparent }),
  };
}

/** Injects the command's context into a controller's method. */
export const CurrentContext = createParamDecorator((_data: unknown, context: ExecutionContext): CommandContext => {
  const http = context.switchToHttp();
  const request = http.getRequest<GuardedRequest>();
  return commandContextOf(request, http.getResponse<FastifyReply>(), request.server.requestHash);
});

declare module 'fastify' {
  interface FastifyInstance {
    requestHash: RequestHash;
  }
}
