import type { Readable } from 'node:stream';
import type { Instant } from '@roughmix/contracts/shared/ids.js';

/** What is known of a stored file. */
export interface BlobInfo {
  readonly size: number;
  /** A strong validator of the content, in its quotes, as an ETag header has it. */
  readonly etag: string;
  readonly modified: Instant;
}

/** Where and how a browser puts one file: exactly these headers, exactly the announced number of bytes, once. */
export interface SignedPut {
  readonly url: string;
  readonly method: 'PUT';
  readonly headers: Readonly<Record<string, string>>;
}

/** What an announced file is signed for. */
export interface SignedPutAsked {
  readonly size: number;
  readonly contentType: string;
  readonly expiresAt: Instant;
}

/** Until when an address is good for reading, and what the answer says of itself; `filename`: to be saved under. */
export interface SignedGet {
  readonly expiresAt: Instant;
  readonly filename?: string;
  readonly contentType?: string;
}

/** An inclusive range of octets. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Files by key. Keys are slash-separated, no part empty, '..' or with a leading dot, control characters, code points that are no characters or a backslash, in Unicode's composed form (NFC),
 * at most 200 octets (UTF-8) a part; every method refuses others with BlobKeyInvalid (`checkKey`). No key may be the folder of another.
 * A file appears whole or not at all, and is durable when its write or move resolves. Writing to a key that has a file replaces it. @throws DiskFull, StoreAway
 */
export interface BlobStore {
  /** Whether signed PUTs come through this server, which then knows when one begins. Where they go elsewhere nobody tells. */
  readonly seesPuts: boolean;
  signPut(key: string, options: SignedPutAsked): Promise<SignedPut>;
  /** A short-lived address for reading, for stores that browsers reach themselves; null when reads go through this server. */
  signGet(key: string, options: SignedGet): Promise<string | null>;
  write(key: string, content: Readable | Uint8Array): Promise<BlobInfo>;
  head(key: string): Promise<BlobInfo | null>;
  /** The whole file, or a range that begins inside it (what lies past its end is left out). What was begun is read to its end, whatever happens to the key. @throws BlobMissing */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** A path on this machine that holds the whole file for as long as `use` runs (the stored one, or a temporary copy). @throws BlobMissing */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /** Replaces what the target had. Moving again when the target already has it and the source is gone is a success. @throws BlobMissing */
  move(from: string, to: string): Promise<void>;
  /** Removing what is not there is a success. */
  remove(key: string): Promise<void>;
  /** Removes everything below `prefix/`; says how many. The prefix is a key itself, '' only in a list. */
  removePrefix(prefix: string): Promise<number>;
  /** Keys below `prefix/` ('': all keys) in the order of their octets, those behind `after`, at most `limit` (1,000). */
  list(prefix: string, options?: { readonly after?: string; readonly limit?: number }): Promise<readonly string[]>;
  /** Whether it answers: cheap, asked again and again. @throws StoreAway */
  check(): Promise<void>;
  close(): Promise<void>;
}

export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';
  constructor(readonly key: string) {
    super('no such file');
  }
}
