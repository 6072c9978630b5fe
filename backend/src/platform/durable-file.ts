import { randomUUID } from 'node:crypto';
import { link, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DiskFull } from './store-errors.js';

const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** How often a target's folder is made again when a removal next door took it away. */
const TRIES = 5;

/** The code of a failed system call, such as ENOENT; null for any other error. */
export function systemCode(error: unknown): string | null {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Writes a file under a name of its own in `folder` and brings it to the disk; of a failed write nothing stays. @throws DiskFull, and what the content throws */
export async function writeTemporary(folder: string, content: AsyncIterable<Uint8Array | string> | Uint8Array, mode = 0o644): Promise<string> {
  const path = join(folder, randomUUID());
  try {
    const handle = await open(path, 'wx', mode);
    try {
      await writeFile(handle, content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return path;
  } catch (error) {
    await rm(path, { force: true });
    throw orDiskFull(error);
  }
}

/** Gives a finished file its place, over whatever was there; after this it is there even when the power goes. */
export async function placeFile(from: string, to: string): Promise<void> {
  await inFolder(to, () => rename(from, to));
}

/** Gives a finished file its place unless something is there: false then. `from` is gone either way. */
export async function placeNewFile(from: string, to: string): Promise<boolean> {
  try {
    await inFolder(to, () => link(from, to));
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(from, { force: true });
  }
}

/** Brings a folder's list of names to the disk; one that is gone by now has none. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

const orDiskFull = (error: unknown): unknown => (FULL.has(systemCode(error) ?? '') ? new DiskFull('there is no room for the file', { cause: error }) : error);

async function inFolder(path: string, place: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      const first = await mkdir(dirname(path), { recursive: true });
      await place();
      await syncUpTo(dirname(path), first ? dirname(first) : dirname(path));
      return;
    } catch (error) {
      if (tries === TRIES || systemCode(error) !== 'ENOENT') throw orDiskFull(error);
    }
  }
}

/** Syncs a folder and those above it, up to the one that was there before. */
async function syncUpTo(folder: string, last: string): Promise<void> {
  await syncFolder(folder);
  if (folder !== last && folder.length > last.length) await syncUpTo(dirname(folder), last);
}
