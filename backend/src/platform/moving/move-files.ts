import { createHash } from 'node:crypto';
import type { BlobStore } from '../blobs/blobs.js';
import { type MoveOptions, MoveRefused } from './move-options.js';

/** The number of files on the target, and their total size. */
export interface MovedFiles {
  readonly files: number;
  readonly bytes: number;
}

const PAGE = 500;
const REPORT_EVERY = 100;
/** Uploads in progress are not moved: their browsers use the old address. */
const UPLOADS = 'uploads/';

/** Copies every file that is missing or different on the target, and compares the content of all. */
export async function moveFiles(from: BlobStore, to: BlobStore, { signal, report }: MoveOptions): Promise<MovedFiles> {
  let files = 0;
  let bytes = 0;
  for await (const key of keysOf(from)) {
    signal.throwIfAborted();
    const source = await from.head(key);
    if (source === null) throw new MoveRefused(`${key} was removed while being copied`);
    const digest = await digestOf(from, key);
    if ((await to.head(key))?.size !== source.size || (await digestOf(to, key)) !== digest) {
      await to.write(key, await from.read(key));
      if ((await digestOf(to, key)) !== digest) throw new MoveRefused(`${key} differs after copying`);
    }
    files += 1;
    bytes += source.size;
    if (files % REPORT_EVERY === 0) report(`${files} files copied`);
  }
  // Remove files that an interrupted run copied and that were removed from the source since.
  for await (const key of keysOf(to)) if ((await from.head(key)) === null) await to.remove(key);
  report(`${files} files with ${bytes} bytes copied`);
  return { files, bytes };
}

async function* keysOf(store: BlobStore): AsyncGenerator<string> {
  for (let after = ''; ;) {
    const page = await store.list('', { after, limit: PAGE });
    yield* page.filter((key) => !key.startsWith(UPLOADS));
    const last = page.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

async function digestOf(store: BlobStore, key: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of await store.read(key)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
