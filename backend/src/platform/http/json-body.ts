import type { Readable } from 'node:stream';
import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** How long a body of JSON may take to arrive. */
const DEADLINE_MS = 30_000;

/** Stands for a body that could not be read, until its turn in the order of checks has come: who may not call at all learns nothing else before. */
export class UnreadBody {
  constructor(readonly code: Extract<ProblemCode, 'request.broken-json' | 'request.too-large' | 'request.timeout' | 'request.media-type'>) {}

  /** True when more bytes of it may still arrive. */
  get isCut(): boolean {
    return this.code !== 'request.broken-json';
  }
}

const BROKEN = new UnreadBody('request.broken-json');
const TOO_LARGE = new UnreadBody('request.too-large');
const TOO_SLOW = new UnreadBody('request.timeout');
const PACKED = new UnreadBody('request.media-type');

/** JSON as plain objects; `__proto__` is a field like any other. An empty body counts as none; bytes that are not UTF-8 are not JSON (RFC 8259, 8.1). */
function readJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    // Told by parseBody, after the session and the rights.
    return BROKEN;
  }
}

/** Reads a body up to the limit, within the deadline; the rest stays unread. */
function bytesOf(body: Readable): Promise<Buffer | UnreadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const end = (result: Buffer | UnreadBody): void => {
      clearTimeout(late);
      body.off('data', take).off('end', whole).off('error', broken);
      resolve(result);
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > LIMITS.jsonBytes) end(TOO_LARGE);
      else chunks.push(chunk);
    };
    const whole = (): void => end(Buffer.concat(chunks, length));
    const broken = (): void => end(BROKEN);
    const late = setTimeout(() => end(TOO_SLOW), DEADLINE_MS);
    body.on('data', take).on('end', whole).on('error', broken);
  });
}

async function parse(request: FastifyRequest, payload: Readable): Promise<unknown> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return PACKED;
  if (Number(request.headers['content-length'] ?? 0) > LIMITS.jsonBytes) return TOO_LARGE;
  const bytes = await bytesOf(payload);
  return bytes instanceof UnreadBody ? bytes : readJson(bytes);
}

/** Reads bodies of JSON; those of another kind are left to whoever wants them. Nothing here refuses: see {@link UnreadBody}. */
export function readBodies(server: FastifyInstance): void {
  server.addContentTypeParser('application/json', (request: FastifyRequest, payload: Readable) => parse(request, payload));
  server.removeContentTypeParser('text/plain');
  server.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}
