import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../durable-file.js';

/** The keys of all files below `prefix/` ('': all) after `after`, in byte order. */
export async function* keysBelow(root: string, prefix: string, after: string): AsyncGenerator<string> {
  const places = (await entriesOf(join(root, prefix)))
    .filter(({ name }) => !name.startsWith('.'))
    .map((entry) => ({ key: prefix === '' ? entry.name : `${prefix}/${entry.name}`, isFolder: entry.isDirectory() }))
    .map((place) => ({ ...place, octets: Buffer.from(place.isFolder ? `${place.key}/` : place.key) }))
    .toSorted((a, b) => Buffer.compare(a.octets, b.octets));
  const start = Buffer.from(after);
  for (const { key, isFolder, octets } of places) {
    const isPast = Buffer.compare(octets, start) > 0;
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
