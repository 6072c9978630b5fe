import { createHash } from 'node:crypto';
import type { BlobStore } from '../blobs/blobs.js';
import { type MoveWork, MoveRefused } from './move-work.js';

/** What was copied. */
export interface MovedFiles {
  readonly files: number;
  readonly bytes: number;
}

const PAGE = 500;
const TOLD_EVERY = 100;
/** Files on their way in: their browsers know the old address. */
const UNFINISHED = 'uploads/';

/** Copies every file that is not there yet as it is here, and reads both from end to end. */
export async function moveFiles(from: BlobStore, to: BlobStore, { signal, report }: MoveWork): Promise<MovedFiles> {
  let files = 0;
  let bytes = 0;
  for await (const key of keysOf(from)) {
    signal.throwIfAborted();
    const own = await from.head(key);
    if (own === null) throw new MoveRefused(`${key} was removed while it was copied`);
    const sum = await sumOf(from, key);
    if ((await to.head(key))?.size !== own.size || (await sumOf(to, key)) !== sum) {
      await to.write(key, await from.read(key));
      if ((await sumOf(to, key)) !== sum) throw new MoveRefused(`${key} came back as another file`);
    }
    files += 1;
    bytes += own.size;
    if (files % TOLD_EVERY === 0) report(`${files} files copied`);
  }
  // What a try before brought that was removed here since.
  for await (const key of keysOf(to)) if ((await from.head(key)) === null) await to.remove(key);
  report(`${files} files with ${bytes} octets copied`);
  return { files, bytes };
}

async function* keysOf(store: BlobStore): AsyncGenerator<string> {
  for (let after = ''; ;) {
    const page = await store.list('', { after, limit: PAGE });
    yield* page.filter((key) => !key.startsWith(UNFINISHED));
    const last = page.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

async function sumOf(store: BlobStore, key: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of await store.read(key)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
