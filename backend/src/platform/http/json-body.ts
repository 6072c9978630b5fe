import type { Readable } from 'node:stream';
import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isModest } from './json-shape.js';
import { bodyBytesOf } from './long-body.js';

const BODY_TIMEOUT_MS = 30_000;

/** A body that could not be read, or has too many levels or members. The guard and `parseBody` refuse it after session and permissions, so others learn nothing but 401 or 403 (ADR 9). */
export class UnreadBody {
  constructor(
    readonly code: Extract<ProblemCode, 'request.broken-json' | 'request.invalid' | 'request.too-large' | 'request.timeout' | 'request.media-type'>,
  ) {}

  /** True when more of its bytes may still arrive. */
  get isIncomplete(): boolean {
    return this.code !== 'request.broken-json' && this.code !== 'request.invalid';
  }
}

const BROKEN = new UnreadBody('request.broken-json');
const TOO_COMPLEX = new UnreadBody('request.invalid');
const TOO_LARGE = new UnreadBody('request.too-large');
const TOO_SLOW = new UnreadBody('request.timeout');
const COMPRESSED = new UnreadBody('request.media-type');

/** Undefined for an empty body. JSON must be UTF-8 (RFC 8259, section 8.1). `__proto__` becomes a field, which `parseBody` refuses. */
function readJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isModest(value) ? value : TOO_COMPLEX;
  } catch {
    return BROKEN;
  }
}

function readBytes(body: Readable, most: number): Promise<Buffer | UnreadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (result: Buffer | UnreadBody): void => {
      clearTimeout(timeout);
      body.off('data', onData).off('end', onEnd).off('error', onError);
      resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > most) finish(TOO_LARGE);
      else chunks.push(chunk);
    };
    const onEnd = (): void => finish(Buffer.concat(chunks, length));
    const onError = (): void => finish(BROKEN);
    const timeout = setTimeout(() => finish(TOO_SLOW), BODY_TIMEOUT_MS);
    body.on('data', onData).on('end', onEnd).on('error', onError);
  });
}

async function parse(request: FastifyRequest, payload: Readable): Promise<unknown> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return COMPRESSED;
  const most = bodyBytesOf(request);
  if (Number(request.headers['content-length'] ?? 0) > most) return TOO_LARGE;
  const bytes = await readBytes(payload, most);
  return bytes instanceof UnreadBody ? bytes : readJson(bytes);
}

/** Parses JSON bodies; handlers receive other content types as streams. Errors become {@link UnreadBody}. */
export function addBodyParsers(server: FastifyInstance): void {
  server.addContentTypeParser('application/json', (request: FastifyRequest, payload: Readable) => parse(request, payload));
  server.removeContentTypeParser('text/plain');
  server.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}
