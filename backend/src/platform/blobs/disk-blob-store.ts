import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { access, constants, copyFile, link, mkdir, open, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { placeFile, placeNewFile, syncFolder, systemCode, writeTemporary } from '../durable-file.js';
import { ServiceUnavailable } from '../store-errors.js';
import { checkKey, checkPrefix } from './blob-key.js';
import { BlobMissing, type BlobInfo, type BlobStore, type ByteRange, type SignedPut, type SignedPutRequest } from './blobs.js';
import { keysBelow } from './keys-below.js';
import { SignedPuts } from './signed-puts.js';

/** `publicPath`: where this server accepts signed PUTs (`<publicPath>/put/<token>`). `signingKey`: at least 32 random bytes. */
export interface DiskBlobStoreOptions {
  readonly folder: string;
  readonly signingKey: Buffer;
  readonly publicPath: string;
  readonly clock: () => Instant;
}

/** Large enough for few event loop turns per file, small enough for flat memory use. */
const READ_PIECE = 256 * 1024;
const LIST_LIMIT = 1000;

/** Cannot collide with a key, because no key begins with a dot. Emptied at each start. */
const TEMPORARY = '.tmp';

/** Files in a folder, with their keys as paths. */
export class DiskBlobStore implements BlobStore {
  readonly seesPuts = true;
  readonly puts: SignedPuts;

  private constructor(
    private readonly folder: string,
    private readonly publicPath: string,
    { signingKey, clock }: Pick<DiskBlobStoreOptions, 'signingKey' | 'clock'>,
  ) {
    this.puts = new SignedPuts(signingKey, clock);
  }

  /** Creates the folder if it is missing and removes leftovers of unfinished writes. */
  static async open({ folder, publicPath, ...secrets }: DiskBlobStoreOptions): Promise<DiskBlobStore> {
    await rm(join(folder, TEMPORARY), { recursive: true, force: true });
    await mkdir(join(folder, TEMPORARY), { recursive: true, mode: 0o700 });
    return new DiskBlobStore(resolve(folder), publicPath, secrets);
  }

  async signPut(key: string, options: SignedPutRequest): Promise<SignedPut> {
    const token = this.puts.make({ key: checkKey(key), ...options });
    return { url: `${this.publicPath}/put/${token}`, method: 'PUT', headers: { 'Content-Type': options.contentType } };
  }

  /** Always null: reads go through this server, which checks access. */
  async signGet(): Promise<null> {
    return null;
  }

  async write(key: string, content: Readable | Uint8Array): Promise<BlobInfo> {
    const path = this.#path(key);
    await placeFile(await this.#temporary(content), path);
    return this.#require(key);
  }

  /** Like {@link write}, but if the key already has a file, changes nothing and returns null. */
  async writeNew(key: string, content: AsyncIterable<Uint8Array>): Promise<BlobInfo | null> {
    const path = this.#path(key);
    const temporary = await this.#temporary(content);
    return (await placeNewFile(temporary, path)) ? this.#require(key) : null;
  }

  async head(key: string): Promise<BlobInfo | null> {
    const path = this.#path(key);
    try {
      const found = await stat(path, { bigint: true });
      return found.isFile() ? infoOf(found) : null;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const path = this.#path(key);
    const handle = await open(path, 'r').catch((error: unknown) => {
      throw isMissing(error) ? new BlobMissing(key) : error;
    });
    if (!(await handle.stat()).isFile()) {
      await handle.close();
      throw new BlobMissing(key);
    }
    return handle.createReadStream({ ...range, highWaterMark: READ_PIECE });
  }

  async withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T> {
    const path = this.#path(key);
    const own = join(this.folder, TEMPORARY, randomUUID());
    await this.#require(key);
    try {
      // A hard link keeps the file intact if the key is moved, replaced or removed meanwhile. Not all file systems support them.
      await link(path, own).catch(() => copyFile(path, own));
    } catch (error) {
      // The file may have been removed between the check and the link.
      if (isMissing(error)) await this.#require(key);
      throw error;
    }
    try {
      return await use(own);
    } finally {
      await rm(own, { force: true });
    }
  }

  async move(from: string, to: string): Promise<void> {
    const [source, target] = [this.#path(from), this.#path(to)];
    if (await this.head(from)) {
      try {
        await placeFile(source, target);
        return await this.#leftBehind(source);
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    }
    if (!(await this.head(to))) throw new BlobMissing(from);
  }

  async remove(key: string): Promise<void> {
    const path = this.#path(key);
    if (!(await this.head(key))) return;
    await rm(path, { force: true });
    await this.#leftBehind(path);
  }

  async removePrefix(prefix: string): Promise<number> {
    const keys: string[] = [];
    for await (const key of keysBelow(this.folder, checkKey(prefix), '')) keys.push(key);
    for (const key of keys) await this.remove(key);
    return keys.length;
  }

  async list(prefix: string, { after = '', limit = LIST_LIMIT }: { readonly after?: string; readonly limit?: number } = {}): Promise<readonly string[]> {
    const keys: string[] = [];
    const most = Math.min(limit, LIST_LIMIT);
    for await (const key of keysBelow(this.folder, checkPrefix(prefix), after)) {
      if (keys.length >= most) break;
      keys.push(key);
    }
    return keys;
  }

  /** Checks that the folder is writable. Free space is checked by the log, which is on the same disk. @throws ServiceUnavailable */
  async check(): Promise<void> {
    await access(join(this.folder, TEMPORARY), constants.W_OK).catch((error: unknown) => {
      throw new ServiceUnavailable('the folder of the files is not writable', { cause: error });
    });
  }

  async close(): Promise<void> {}

  #path(key: string): string {
    return join(this.folder, ...checkKey(key).split('/'));
  }

  #temporary(content: AsyncIterable<Uint8Array> | Uint8Array): Promise<string> {
    return writeTemporary(join(this.folder, TEMPORARY), content);
  }

  async #require(key: string): Promise<BlobInfo> {
    const info = await this.head(key);
    if (!info) throw new BlobMissing(key);
    return info;
  }

  /** After a file was moved or removed: makes that durable and removes empty folders. */
  async #leftBehind(path: string): Promise<void> {
    await syncFolder(dirname(path));
    for (let folder = dirname(path); folder !== this.folder && folder.startsWith(this.folder); folder = dirname(folder)) {
      try {
        await rmdir(folder);
      } catch {
        // Not empty, or already removed: either way there is nothing left to do.
        return;
      }
    }
  }
}

/** The path does not exist, or one of its folders is a file. */
const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');

/** The ETag changes with the content: files are never written in place, so new content has a new inode and time. */
function infoOf(found: BigIntStats): BlobInfo {
  const etag = [found.size, found.mtimeNs, found.ino].map((part) => part.toString(36)).join('-');
  return { size: Number(found.size), etag: `"${etag}"`, modified: Number(found.mtimeNs / 1_000_000n) };
}
