import type { Instant } from '@roughmix/contracts/shared/ids.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refused } from '../../kernel/refusal.js';
import type { BlobStore } from '../blobs/blobs.js';
import { type BlobResponse, sendBlob } from './send-blob.js';

/** A stored file, and when the signed URL of a redirect to it expires. */
export interface RedirectableBlob extends BlobResponse {
  readonly expiresAt: Instant;
}

/**
 * Sends a large file, or redirects (302) to a short-lived signed URL of this file if browsers can reach the blob store.
 * The caller checks permissions before. @throws Refused `version.not-found` when the file is gone
 */
export async function sendOrRedirectBlob(blobs: BlobStore, blob: RedirectableBlob, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { key, contentType, downloadAs, expiresAt } = blob;
  const url = await blobs.signGet(key, { expiresAt, contentType, ...(downloadAs !== undefined && { filename: downloadAs }) });
  // The signed URL works for GET only.
  if (url === null || request.method === 'HEAD') return sendBlob(blobs, blob, request, reply);
  if ((await blobs.head(key)) === null) throw new Refused('version.not-found');
  await reply.header('Cache-Control', 'private, no-store').redirect(url, 302);
}
