import type { Readable } from 'node:stream';
import { type BlobInfo, BlobMissing } from './blobs.js';
import type { DiskBlobStore } from './disk-blob-store.js';
import type { PutClaims } from './storage-token.js';

/** An incoming PUT to a signed URL; `contentLength` is null without a Content-Length header. */
export interface IncomingPut {
  readonly token: string;
  readonly body: Readable;
  readonly contentLength: number | null;
  readonly contentType: string | null;
}

/** Why a PUT is refused; the codes carry their status. */
export type PutRefusal = 'upload.not-found' | 'upload.used' | 'upload.damaged' | 'request.too-large' | 'request.invalid';

export type PutResult = { readonly ok: true; readonly key: string; readonly blob: BlobInfo } | { readonly ok: false; readonly code: PutRefusal };

class BadBody extends Error {
  constructor(readonly code: PutRefusal) {
    super(code);
  }
}

/**
 * Accepts one upload: exactly the announced bytes, once, before it expires. Refused and aborted uploads leave no file. The body of a request
 * refused early is left unread, and the caller closes the connection. A newer PUT with the same token ends the one in flight.
 * @throws DiskFull
 */
export async function acceptPut(store: DiskBlobStore, put: IncomingPut): Promise<PutResult> {
  const claims = store.puts.read(put.token);
  if (!claims) return refused('upload.not-found');
  if (put.contentType?.trim().toLowerCase() !== claims.contentType.toLowerCase()) return refused('request.invalid');
  if (put.contentLength !== null && put.contentLength > claims.size) return refused('request.too-large');
  if (put.contentLength !== null && put.contentLength < claims.size) return refused('upload.damaged');
  if (store.puts.isSpent(put.token) || (await store.head(claims.key))) return refused('upload.used');
  return receive(store, put, claims);
}

async function receive(store: DiskBlobStore, { token, body }: IncomingPut, { key, size, expiresAt }: PutClaims): Promise<PutResult> {
  // An error before reading starts would otherwise be uncaught; the reader gets it too.
  body.on('error', () => undefined);
  const done = store.puts.begin(token, key, body);
  try {
    const blob = await store.writeNew(key, exactly(body, size));
    if (!blob) return refused('upload.used');
    store.puts.spend(token, expiresAt);
    return { ok: true, key, blob };
  } catch (error) {
    if (error instanceof BadBody) return refused(error.code);
    // Removed at once because its upload was cancelled meanwhile.
    if (error instanceof BlobMissing) return refused('upload.not-found');
    throw error;
  } finally {
    done();
  }
}

async function* exactly(body: Readable, size: number): AsyncGenerator<Uint8Array> {
  let seen = 0;
  try {
    // Destroying the request would close the connection that carries the refusal.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      const bytes: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array);
      seen += bytes.length;
      if (seen > size) throw new BadBody('request.too-large');
      yield bytes;
    }
  } catch (error) {
    // The sender disconnected mid-body, or a newer PUT took over.
    throw error instanceof BadBody ? error : new BadBody('upload.damaged');
  }
  if (seen < size) throw new BadBody('upload.damaged');
}

const refused = (code: PutRefusal): PutResult => ({ ok: false, code });
