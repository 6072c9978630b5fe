import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refused } from '../../kernel/refusal.js';
import { BlobMissing, type BlobStore, type ByteRange } from '../blobs/blobs.js';
import { attachment } from './attachment.js';
import { parseRange } from './range.js';

/** A stored file and the headers it is sent with. */
export interface BlobResponse {
  readonly key: string;
  readonly contentType: string;
  readonly cacheControl: string;
  /** If set, browsers save the file under this name instead of showing it. */
  readonly downloadAs?: string;
}

/** Sends a file or the requested range: 200, 206 or 304. @throws Refused `range.invalid`; `version.not-found` when the file is gone */
export async function sendBlob(blobs: BlobStore, blob: BlobResponse, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const info = await blobs.head(blob.key);
  if (info === null) throw new Refused('version.not-found');
  const { range: rangeHeader, 'if-none-match': ifNoneMatch, 'if-range': ifRange } = request.headers;
  const isNotModified = ifNoneMatch?.split(',').some((each) => each.trim() === info.etag) === true;
  const range = !isNotModified && (ifRange === undefined || ifRange === info.etag) ? parseRange(rangeHeader, info.size) : null;
  if (range === 'unsatisfiable') {
    void reply.header('Content-Range', `bytes */${info.size}`);
    throw new Refused('range.invalid');
  }
  // For HEAD an empty stream: without a payload Fastify would send `Content-Length: 0`.
  const content = request.method === 'HEAD' || isNotModified ? Readable.from([]) : await contentOf(blobs, blob.key, range);
  void reply
    .header('ETag', info.etag)
    .header('Cache-Control', blob.cacheControl)
    .header('Accept-Ranges', 'bytes')
    .header('X-Content-Type-Options', 'nosniff')
    .header('Content-Type', blob.contentType);
  if (blob.downloadAs !== undefined) void reply.header('Content-Disposition', attachment(blob.downloadAs));
  if (isNotModified) {
    await reply.status(304).send();
    return;
  }
  if (range !== null) void reply.status(206).header('Content-Range', `bytes ${range.start}-${range.end}/${info.size}`);
  await reply.header('Content-Length', String(range === null ? info.size : range.end - range.start + 1)).send(content);
}

/** The file may be removed between `head` and `read`. */
async function contentOf(blobs: BlobStore, key: string, range: ByteRange | null): Promise<Readable> {
  return blobs.read(key, range ?? undefined).catch((error: unknown) => {
    throw error instanceof BlobMissing ? new Refused('version.not-found') : error;
  });
}
