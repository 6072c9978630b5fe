import type { Instant } from '@roughmix/contracts/shared/ids.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refused } from '../../kernel/refusal.js';
import type { BlobStore } from '../blobs/blobs.js';
import { sendBlob, type SentBlob } from './send-blob.js';

/** A stored file, and until when the address of it that a browser is sent to is good. */
export interface HandedOutBlob extends SentBlob {
  readonly expiresAt: Instant;
}

/**
 * Sends a large file, or sends the browser to where the file lies, when the store is one that browsers reach: 302 to an address that is signed for this
 * file alone and dies soon. Whoever calls has checked the right to it. @throws Refused `version.not-found` when the file is gone
 */
export async function handOutBlob(blobs: BlobStore, blob: HandedOutBlob, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { key, contentType, downloadAs, expiresAt } = blob;
  const address = await blobs.signGet(key, { expiresAt, contentType, ...(downloadAs !== undefined && { filename: downloadAs }) });
  // A signed address is for GET alone.
  if (address === null || request.method === 'HEAD') return sendBlob(blobs, blob, request, reply);
  if ((await blobs.head(key)) === null) throw new Refused('version.not-found');
  await reply.header('Cache-Control', 'private, no-store').redirect(address, 302);
}
