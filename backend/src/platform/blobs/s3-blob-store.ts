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
import { StoreAway } from '../store-errors.js';
import { checkKey, checkPrefix, isKey } from './blob-key.js';
import { BlobMissing, type BlobInfo, type BlobStore, type ByteRange, type SignedGet, type SignedPut, type SignedPutAsked } from './blobs.js';
import { checkBucket, openToPages } from './s3-bucket.js';
import { CALL_MS, CONTENT_MS, s3Clients, type S3Clients, type S3Place } from './s3-client.js';
import { ServerClock } from './s3-clock.js';
import { asked, gone, isMissing, storeError } from './s3-errors.js';
import { signedGet, signedPut } from './s3-signing.js';
import { type S3Object, writeObject } from './s3-writing.js';

/** Which bucket, of which server; `pageOrigin` is where the page lies that puts and plays files. */
export interface S3BlobStoreOptions extends S3Place {
  readonly pageOrigin: string;
  readonly clock: Clock;
}

interface S3Parts {
  readonly clients: S3Clients;
  readonly bucket: string;
  readonly clock: Clock;
  readonly serverClock: ServerClock;
  readonly advice: string | null;
}

/** The most keys of one list and of one removal. */
const MOST_KEYS = 1000;

/** Files in a bucket of an S3 server, each under its key. Browsers put and play them there, by signed addresses. */
export class S3BlobStore implements BlobStore {
  readonly seesPuts = false;

  /** What the operator has to set so that pages reach the bucket; null when nothing. */
  readonly advice: string | null;
  private readonly clients: S3Clients;
  private readonly bucket: string;

  private constructor(private readonly parts: S3Parts) {
    ({ clients: this.clients, bucket: this.bucket, advice: this.advice } = parts);
  }

  /** Checks that the bucket can be listed and written, and lets the page reach it where the key may say so. @throws BucketUnusable, StoreAway */
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

  /** The signature covers size and type, and that the key is free: the server refuses anything else. */
  async signPut(key: string, options: SignedPutAsked): Promise<SignedPut> {
    return signedPut(this.clients.signer, this.#object(key), this.#byServer(options));
  }

  async signGet(key: string, options: SignedGet): Promise<string> {
    return signedGet(this.clients.signer, this.#object(key), this.#byServer(options));
  }

  async write(key: string, content: Readable | Uint8Array): Promise<BlobInfo> {
    await writeObject(this.#calls, this.#object(key), content);
    return this.#require(key);
  }

  async head(key: string): Promise<BlobInfo | null> {
    const object = this.#object(key);
    try {
      const { ContentLength = 0, ETag = '', LastModified } = await asked(CALL_MS, (options) => this.#calls.send(new HeadObjectCommand(object), options));
      return { size: ContentLength, etag: ETag, modified: LastModified?.getTime() ?? 0 };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    return (await this.#get(this.clients.reads, key, range)).body;
  }

  /** Always a copy of its own, in the machine's folder for temporary files. */
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

  /** A copy on the server, looked at before the source goes: objects up to 5 GB, far above what is taken in. */
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
      await asked(CONTENT_MS, (options) => this.#calls.send(copy, options));
    } catch (error) {
      if (!isMissing(error)) throw error;
      // Another server that was asked the same was faster, or it has gone.
      if (await this.head(to)) return;
      throw new BlobMissing(from);
    }
    if ((await this.#require(to)).size !== source.size) throw new StoreAway('the S3 server did not copy the whole file');
    await this.remove(from);
  }

  async remove(key: string): Promise<void> {
    const object = this.#object(key);
    await gone(asked(CALL_MS, (options) => this.#calls.send(new DeleteObjectCommand(object), options)));
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

  async list(prefix: string, { after = '', limit = MOST_KEYS }: { readonly after?: string; readonly limit?: number } = {}): Promise<readonly string[]> {
    const below = checkPrefix(prefix) === '' ? {} : { Prefix: `${prefix}/` };
    const most = Math.min(limit, MOST_KEYS);
    const keys: string[] = [];
    for (let StartAfter = after; ;) {
      const command = new ListObjectsV2Command({ Bucket: this.bucket, ...below, MaxKeys: most - keys.length, ...(StartAfter !== '' && { StartAfter }) });
      const { Contents = [], IsTruncated = false } = await asked(CALL_MS, (options) => this.#calls.send(command, options));
      // What is no key was put there by others, or by the check of the bucket.
      keys.push(...Contents.flatMap(({ Key = '' }) => (isKey(Key) ? [Key] : [])));
      const last = Contents.at(-1)?.Key;
      // What a server cannot write into its answer it lists as something else, again and again.
      if (last !== undefined && !isBehind(last, StartAfter)) throw new StoreAway(`the S3 server lists a key below ${prefix} as another one`);
      if (!IsTruncated || last === undefined || keys.length >= most) return keys;
      StartAfter = last;
    }
  }

  /** The bucket is there and the key still holds. It writes nothing: every write would be paid for, and kept where a bucket keeps versions. @throws StoreAway */
  async check(): Promise<void> {
    await asked(CALL_MS, (options) => this.#calls.send(new HeadBucketCommand({ Bucket: this.bucket }), options)).catch((error: unknown) => {
      throw isMissing(error) ? new StoreAway('the bucket is gone', { cause: error }) : error;
    });
  }

  async close(): Promise<void> {
    this.clients.destroy();
  }

  get #calls(): S3Client {
    return this.clients.calls;
  }

  /** What is signed says the server's own time, also where that is another than ours. */
  #byServer<Asked extends { readonly expiresAt: Instant }>(options: Asked): Asked & { readonly now: Instant } {
    const { clock, serverClock } = this.parts;
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
      const { Body, ContentLength = 0 } = await asked(CALL_MS, (options) => client.send(command, options));
      if (!(Body instanceof Readable)) throw new StoreAway('the S3 server sent no content');
      // One that breaks before anybody reads it would end the process; whoever reads it hears of it too.
      Body.on('error', () => undefined);
      return { body: Body, size: ContentLength };
    } catch (error) {
      throw isMissing(error) ? new BlobMissing(key) : error;
    }
  }

  async #removeAll(keys: readonly string[]): Promise<void> {
    const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true };
    const { Errors = [] } = await asked(CONTENT_MS, (options) => this.#calls.send(new DeleteObjectsCommand({ Bucket: this.bucket, Delete }), options));
    const left = Errors.filter(({ Code }) => Code !== 'NoSuchKey');
    if (left.length > 0) throw new StoreAway(`the S3 server did not remove ${left.length} files: ${left[0]?.Code ?? 'it does not say why'}`);
  }
}

/** In the order of octets, which is that of lists. */
const isBehind = (key: string, other: string): boolean => Buffer.compare(Buffer.from(key), Buffer.from(other)) > 0;

/** A body to its end, which comes only after as many octets as were said. @throws StoreAway */
async function* wholeOf(body: Readable, size: number): AsyncGenerator<Uint8Array> {
  let seen = 0;
  try {
    for await (const chunk of body) {
      const octets = chunk as Uint8Array;
      seen += octets.length;
      yield octets;
    }
  } catch (error) {
    throw storeError(error);
  }
  if (seen !== size) throw new StoreAway('the S3 server sent only a part of the file');
}
