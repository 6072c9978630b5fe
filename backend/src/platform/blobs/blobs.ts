import type { Readable } from 'node:stream';
import type { Instant } from '@roughmix/contracts/shared/ids.js';

/** The metadata of a stored file. */
export interface BlobInfo {
  readonly size: number;
  /** A strong ETag of the content, including the quotes. */
  readonly etag: string;
  readonly modified: Instant;
}

/** How a browser uploads one file: with exactly these headers and the announced number of bytes, once. */
export interface SignedPut {
  readonly url: string;
  readonly method: 'PUT';
  readonly headers: Readonly<Record<string, string>>;
}

/** The properties of an announced file that the signature covers. */
export interface SignedPutRequest {
  readonly size: number;
  readonly contentType: string;
  readonly expiresAt: Instant;
}

/** The expiry of a signed URL and the headers of its response; `filename`: the name to save the file under. */
export interface SignedGet {
  readonly expiresAt: Instant;
  readonly filename?: string;
  readonly contentType?: string;
}

/** An inclusive range of bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Files by key. Every method throws BlobKeyInvalid for keys that break the rules of `checkKey`, and no key may be the folder of another.
 * A file appears whole or not at all, and is durable when its write or move resolves. Writing to an existing key replaces the file. @throws DiskFull, ServiceUnavailable
 */
export interface BlobStore {
  /** Whether signed PUTs go through this server, which then knows when one starts. */
  readonly seesPuts: boolean;
  signPut(key: string, options: SignedPutRequest): Promise<SignedPut>;
  /** A short-lived URL for stores that browsers read from directly; null if reads go through this server. */
  signGet(key: string, options: SignedGet): Promise<string | null>;
  write(key: string, content: Readable | Uint8Array): Promise<BlobInfo>;
  head(key: string): Promise<BlobInfo | null>;
  /** The whole file, or a range that starts inside it, cut at its end. A read in progress completes, whatever happens to the key. @throws BlobMissing */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Gives `use` a local path that holds the whole file while it runs (the stored file or a temporary copy). @throws BlobMissing */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /** Replaces an existing target. Repeating a completed move succeeds. @throws BlobMissing */
  move(from: string, to: string): Promise<void>;
  /** Removing a missing file succeeds. */
  remove(key: string): Promise<void>;
  /** Removes everything below `prefix/`. The prefix must be a key, so not ''. @returns how many */
  removePrefix(prefix: string): Promise<number>;
  /** Keys below `prefix/` ('': all keys) after `after`, in byte order, at most `limit` (default 1,000). */
  list(prefix: string, options?: { readonly after?: string; readonly limit?: number }): Promise<readonly string[]>;
  /** A cheap health check. @throws ServiceUnavailable */
  check(): Promise<void>;
  close(): Promise<void>;
}

export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';
  constructor(readonly key: string) {
    super('no such file');
  }
}
