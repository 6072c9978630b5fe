import { createHmac, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { COMMAND_ID_FORM } from '@roughmix/contracts/shared/ids.js';
import type { FastifyReply } from 'fastify';
import { Refused } from '../../kernel/refusal.js';
import { systemClock } from '../clock.js';
import type { CommandContext } from '../streams/streams.js';
import { callerOf, type KnownRequest } from './caller.js';
import { prefersMinimal } from './prefer.js';
import { traceContextOf } from './trace-context.js';

/** HMAC under a vault key of what a request asks for: tells a reused `Idempotency-Key` with another body. */
export type RequestHash = (method: string, path: string, body: unknown) => string;

/** Makes the hash of requests; object members count whatever their order. @throws Refused `request.invalid` for a body nested deeper than any may be */
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

function commandIdOf(request: KnownRequest): string {
  const given = request.headers['idempotency-key'];
  if (given === undefined) return randomUUID();
  if (typeof given !== 'string' || !COMMAND_ID_FORM.test(given)) throw new Refused('request.invalid', { field: 'Idempotency-Key' });
  return given;
}

/** What a command needs to know of its request; answers `X-Command-Id` on the way. `hash` is set on the server's adapter at start. @throws Refused `request.media-type` for a body of another kind than JSON */
function commandContextOf(request: KnownRequest, reply: FastifyReply, hash: RequestHash): CommandContext {
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

/** Hands the command's context to a controller's method. */
export const CurrentContext = createParamDecorator((_data: unknown, context: ExecutionContext): CommandContext => {
  const http = context.switchToHttp();
  const request = http.getRequest<KnownRequest>();
  return commandContextOf(request, http.getResponse<FastifyReply>(), request.server.requestHash);
});

declare module 'fastify' {
  interface FastifyInstance {
    requestHash: RequestHash;
  }
}
