import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { Instant } from '@roughmix/contracts/shared/ids.js';
import type { Clock } from '../clock.js';
import { writeTemporary } from '../durable-file.js';
import { ServiceUnavailable } from '../store-errors.js';
import { checkKey, checkPrefix, isKey } from './blob-key.js';
import { BlobMissing, type BlobInfo, type BlobStore, type ByteRange, type SignedGet, type SignedPut, type SignedPutRequest } from './blobs.js';
import { checkBucket, openToPages } from './s3-bucket.js';
import { CALL_MS, CONTENT_MS, s3Clients, type S3Clients, type S3Endpoint } from './s3-client.js';
import { ServerClock } from './s3-clock.js';
import { callWithTimeout, ignoreMissing, isMissing, storeError } from './s3-errors.js';
import { signedGet, signedPut } from './s3-signing.js';
import { type S3Object, writeObject } from './s3-writing.js';

/** `pageOrigin`: the origin of the pages that upload and play files. */
export interface S3BlobStoreOptions extends S3Endpoint {
  readonly pageOrigin: string;
  readonly clock: Clock;
}

interface S3Deps {
  readonly clients: S3Clients;
  readonly bucket: string;
  readonly clock: Clock;
  readonly serverClock: ServerClock;
  readonly advice: string | null;
}

/** S3's limit for one list and one bulk removal. */
const MAX_KEYS = 1000;

/** Files in an S3 bucket. Browsers upload and play them there directly, by signed URLs. */
export class S3BlobStore implements BlobStore {
  readonly seesPuts = false;

  /** What the operator has to configure so that pages can use the bucket; null if nothing. */
  readonly advice: string | null;
  private readonly clients: S3Clients;
  private readonly bucket: string;

  private constructor(private readonly deps: S3Deps) {
    ({ clients: this.clients, bucket: this.bucket, advice: this.advice } = deps);
  }

  /** Checks that the bucket can be listed and written, and adds the CORS rule for pages if the key allows it. @throws BucketUnusable, ServiceUnavailable */
  static async open(options: S3BlobStoreOptions): Promise<S3BlobStore> {
    const clients = s3Clients(options);
    try {
      const { bucket, clock, pageOrigin } = options;
      const serverClock = new ServerClock(clients.calls, clock);
      await checkBucket(clients.calls, options);
      return new S3BlobStore({ clients, bucket, clock, serverClock, advice: await openToPages(clients.calls, bucket, pageOrigin) });
    } catch (error) {
      clients.destroy();
      throw error;
    }
  }

  /** The signature covers the size, the type and that the key is free; the server refuses anything else. */
  async signPut(key: string, options: SignedPutRequest): Promise<SignedPut> {
    return signedPut(this.clients.signer, this.#object(key), this.#inServerTime(options));
  }

  async signGet(key: string, options: SignedGet): Promise<string> {
    return signedGet(this.clients.signer, this.#object(key), this.#inServerTime(options));
  }

  async write(key: string, content: Readable | Uint8Array): Promise<BlobInfo> {
    await writeObject(this.#calls, this.#object(key), content);
    return this.#require(key);
  }

  async head(key: string): Promise<BlobInfo | null> {
    const object = this.#object(key);
    try {
      const {
        ContentLength = 0,
        ETag = '',
        LastModified,
      } = await callWithTimeout(CALL_MS, (options) => this.#calls.send(new HeadObjectCommand(object), options));
      return { size: ContentLength, etag: ETag, modified: LastModified?.getTime() ?? 0 };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    return (await this.#get(this.clients.reads, key, range)).body;
  }

  /** Always a copy in the system's temporary folder. */
  async withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T> {
    const folder = join(tmpdir(), `roughmix-blob-${randomUUID()}`);
    const { body, size } = await this.#get(this.#calls, key);
    try {
      await mkdir(folder, { mode: 0o700 });
      return await use(await writeTemporary(folder, wholeOf(body, size)));
    } finally {
      body.destroy();
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Copies on the server and checks the copy before removing the source. S3 copies up to 5 GB, far above the upload limit. */
  async move(from: string, to: string): Promise<void> {
    const target = this.#object(to);
    const source = await this.head(from);
    if (source === null || from === to) {
      if (!(await this.head(to))) throw new BlobMissing(from);
      return;
    }
    const CopySource = [this.bucket, ...from.split('/')].map(encodeURIComponent).join('/');
    const copy = new CopyObjectCommand({ ...target, CopySource, CopySourceIfMatch: source.etag });
    try {
      await callWithTimeout(CONTENT_MS, (options) => this.#calls.send(copy, options));
    } catch (error) {
      if (!isMissing(error)) throw error;
      // A concurrent identical move was faster, or the source is gone.
      if (await this.head(to)) return;
      throw new BlobMissing(from);
    }
    if ((await this.#require(to)).size !== source.size) throw new ServiceUnavailable('the S3 server did not copy the whole file');
    await this.remove(from);
  }

  async remove(key: string): Promise<void> {
    const object = this.#object(key);
    await ignoreMissing(callWithTimeout(CALL_MS, (options) => this.#calls.send(new DeleteObjectCommand(object), options)));
  }

  async removePrefix(prefix: string): Promise<number> {
    let removed = 0;
    for (let after = checkKey(prefix); ;) {
      const keys = await this.list(prefix, { after });
      const last = keys.at(-1);
      if (last === undefined) return removed;
      await this.#removeAll(keys);
      removed += keys.length;
      after = last;
    }
  }

  async list(prefix: string, { after = '', limit = MAX_KEYS }: { readonly after?: string; readonly limit?: number } = {}): Promise<readonly string[]> {
    const below = checkPrefix(prefix) === '' ? {} : { Prefix: `${prefix}/` };
    const most = Math.min(limit, MAX_KEYS);
    const keys: string[] = [];
    for (let StartAfter = after; ;) {
      const command = new ListObjectsV2Command({ Bucket: this.bucket, ...below, MaxKeys: most - keys.length, ...(StartAfter !== '' && { StartAfter }) });
      const { Contents = [], IsTruncated = false } = await callWithTimeout(CALL_MS, (options) => this.#calls.send(command, options));
      // Names that are not keys come from others, or from the bucket check.
      keys.push(...Contents.flatMap(({ Key = '' }) => (isKey(Key) ? [Key] : [])));
      const last = Contents.at(-1)?.Key;
      // A server lists a name it cannot represent as something else, and paging would never end.
      if (last !== undefined && !isAfter(last, StartAfter)) throw new ServiceUnavailable(`the S3 server listed a key below ${prefix} under another name`);
      if (!IsTruncated || last === undefined || keys.length >= most) return keys;
      StartAfter = last;
    }
  }

  /** Checks that the bucket exists and the key is valid. Does not write, since writes cost money and accumulate in versioned buckets. @throws ServiceUnavailable */
  async check(): Promise<void> {
    await callWithTimeout(CALL_MS, (options) => this.#calls.send(new HeadBucketCommand({ Bucket: this.bucket }), options)).catch((error: unknown) => {
      throw isMissing(error) ? new ServiceUnavailable('the bucket is gone', { cause: error }) : error;
    });
  }

  async close(): Promise<void> {
    this.clients.destroy();
  }

  get #calls(): S3Client {
    return this.clients.calls;
  }

  /** Shifts times to the server's clock, which validates the signature. */
  #inServerTime<Options extends { readonly expiresAt: Instant }>(options: Options): Options & { readonly now: Instant } {
    const { clock, serverClock } = this.deps;
    return { ...options, now: clock() + serverClock.ahead, expiresAt: options.expiresAt + serverClock.ahead };
  }

  #object(key: string): S3Object {
    return { Bucket: this.bucket, Key: checkKey(key) };
  }

  async #require(key: string): Promise<BlobInfo> {
    const info = await this.head(key);
    if (info === null) throw new BlobMissing(key);
    return info;
  }

  async #get(client: S3Client, key: string, range?: ByteRange): Promise<{ readonly body: Readable; readonly size: number }> {
    const Range = range === undefined ? undefined : `bytes=${range.start}-${range.end}`;
    const command = new GetObjectCommand({ ...this.#object(key), ...(Range !== undefined && { Range }) });
    try {
      const { Body, ContentLength = 0 } = await callWithTimeout(CALL_MS, (options) => client.send(command, options));
      if (!(Body instanceof Readable)) throw new ServiceUnavailable('the S3 server sent no content');
      // An error before reading starts would otherwise be uncaught; the reader gets it too.
      Body.on('error', () => undefined);
      return { body: Body, size: ContentLength };
    } catch (error) {
      throw isMissing(error) ? new BlobMissing(key) : error;
    }
  }

  async #removeAll(keys: readonly string[]): Promise<void> {
    const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true };
    const { Errors = [] } = await callWithTimeout(CONTENT_MS, (options) =>
      this.#calls.send(new DeleteObjectsCommand({ Bucket: this.bucket, Delete }), options),
    );
    const left = Errors.filter(({ Code }) => Code !== 'NoSuchKey');
    if (left.length > 0) throw new ServiceUnavailable(`the S3 server did not remove ${left.length} files: ${left[0]?.Code ?? 'no reason given'}`);
  }
}

/** Compares bytes, as lists are ordered. */
const isAfter = (key: string, other: string): boolean => Buffer.compare(Buffer.from(key), Buffer.from(other)) > 0;

/** Reads a body to its end and checks its length. @throws ServiceUnavailable */
async function* wholeOf(body: Readable, size: number): AsyncGenerator<Uint8Array> {
  let seen = 0;
  try {
    for await (const chunk of body) {
      const bytes = chunk as Uint8Array;
      seen += bytes.length;
      yield bytes;
    }
  } catch (error) {
    throw storeError(error);
  }
  if (seen !== size) throw new ServiceUnavailable('the S3 server sent only part of the file');
}
