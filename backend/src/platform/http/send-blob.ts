import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refused } from '../../kernel/refusal.js';
import { BlobMissing, type BlobStore, type ByteRange } from '../blobs/blobs.js';
import { attachment } from './attachment.js';
import { rangeOf } from './ranges.js';

/** A stored file as it goes to a browser. */
export interface SentBlob {
  readonly key: string;
  readonly contentType: string;
  /** `private, no-cache` and the like. */
  readonly cacheControl: string;
  /** Set to have it saved under this name instead of shown. */
  readonly downloadAs?: string;
}

/** Sends a file, or the part asked for: 200, 206 or 304. @throws Refused `range.invalid`; `version.not-found` when the file is gone */
export async function sendBlob(blobs: BlobStore, blob: SentBlob, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const info = await blobs.head(blob.key);
  if (info === null) throw new Refused('version.not-found');
  const { range: rangeHeader, 'if-none-match': ifNoneMatch, 'if-range': ifRange } = request.headers;
  const isKnown = ifNoneMatch?.split(/\s*,\s*/).includes(info.etag) === true;
  const range = !isKnown && (ifRange === undefined || ifRange === info.etag) ? rangeOf(rangeHeader, info.size) : null;
  if (range === 'unsatisfiable') {
    void reply.header('Content-Range', `bytes */${info.size}`);
    throw new Refused('range.invalid');
  }
  // To HEAD an empty stream: for no payload at all Fastify would say that the file has no octets.
  const content = request.method === 'HEAD' || isKnown ? Readable.from([]) : await contentOf(blobs, blob.key, range);
  void reply
    .header('ETag', info.etag)
    .header('Cache-Control', blob.cacheControl)
    .header('Accept-Ranges', 'bytes')
    .header('X-Content-Type-Options', 'nosniff')
    .header('Content-Type', blob.contentType);
  if (blob.downloadAs !== undefined) void reply.header('Content-Disposition', attachment(blob.downloadAs));
  if (isKnown) {
    await reply.status(304).send();
    return;
  }
  if (range !== null) void reply.status(206).header('Content-Range', `bytes ${range.start}-${range.end}/${info.size}`);
  await reply.header('Content-Length', String(range === null ? info.size : range.end - range.start + 1)).send(content);
}

/** A file may go between being found and being read. */
async function contentOf(blobs: BlobStore, key: string, range: ByteRange | null): Promise<Readable> {
  return blobs.read(key, range ?? undefined).catch((error: unknown) => {
    throw error instanceof BlobMissing ? new Refused('version.not-found') : error;
  });
}
