import { randomUUID } from 'node:crypto';
import { link, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DiskFull } from './store-errors.js';

const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** How often a folder is created again if a concurrent removal deleted it. */
const MAX_TRIES = 5;

/** The code of a failed system call, such as ENOENT; null for any other error. */
export function systemCode(error: unknown): string | null {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Writes and syncs a file with a random name in `folder`; a failed write leaves nothing. @throws DiskFull, and what the content throws */
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

/** Moves a finished file to its path, replacing any other; durable when this resolves. */
export async function placeFile(from: string, to: string): Promise<void> {
  await inFolder(to, () => rename(from, to));
}

/** Moves a finished file to its path; false if a file exists there. `from` is deleted either way. */
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

/** Syncs a folder's entries; a folder that no longer exists is ignored. */
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

const orDiskFull = (error: unknown): unknown => (FULL.has(systemCode(error) ?? '') ? new DiskFull('no space left for the file', { cause: error }) : error);

async function inFolder(path: string, place: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      const first = await mkdir(dirname(path), { recursive: true });
      await place();
      await syncUpTo(dirname(path), first ? dirname(first) : dirname(path));
      return;
    } catch (error) {
      if (tries === MAX_TRIES || systemCode(error) !== 'ENOENT') throw orDiskFull(error);
    }
  }
}

/** Syncs a folder and its parents, up to the first that existed before. */
async function syncUpTo(folder: string, last: string): Promise<void> {
  await syncFolder(folder);
  if (folder !== last && folder.length > last.length) await syncUpTo(dirname(folder), last);
}
