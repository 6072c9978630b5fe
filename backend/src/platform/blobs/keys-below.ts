import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../durable-file.js';

/** The keys of all files below `prefix/` ('': all) after `after`, in byte order. */
export async function* keysBelow(root: string, prefix: string, after: string): AsyncGenerator<string> {
  const places = (await entriesOf(join(root, prefix)))
    .filter(({ name }) => !name.startsWith('.'))
    .map((entry) => ({ key: prefix === '' ? entry.name : `${prefix}/${entry.name}`, isFolder: entry.isDirectory() }))
    .map((entry) => ({ ...entry, bytes: Buffer.from(entry.isFolder ? `${entry.key}/` : entry.key) }))
    .toSorted((a, b) => Buffer.compare(a.bytes, b.bytes));
  const start = Buffer.from(after);
  for (const { key, isFolder, bytes } of places) {
    const isPast = Buffer.compare(bytes, start) > 0;
    if (isFolder && (isPast || after.startsWith(`${key}/`))) yield* keysBelow(root, key, after);
    else if (!isFolder && isPast) yield key;
  }
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
