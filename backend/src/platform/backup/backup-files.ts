import { constants, createReadStream } from 'node:fs';
import { chmod, copyFile, link, mkdir, open, readdir, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { syncFolder, systemCode } from '../durable-file.js';
import { BLOBS, digestOf, type FileDigest, FILES } from './backup-manifest.js';

/** A stored file in a backup. A file with the same key, size and `modified` (in milliseconds) is taken as unchanged. */
export interface FileEntry extends FileDigest {
  readonly key: string;
  readonly modified: number;
}

/** Uploads in progress are not backed up: no event names them, and a restore drops their records. */
const UPLOADS = 'uploads';

/** Every key below a folder, in order. Names that begin with a dot belong to the blob store. */
export async function* keysIn(folder: string, prefix = ''): AsyncGenerator<string> {
  const entries = await readdir(join(folder, prefix), { withFileTypes: true }).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const key = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    if (entry.name.startsWith('.') || key === UPLOADS) continue;
    if (entry.isDirectory()) yield* keysIn(folder, key);
    else if (entry.isFile()) yield key;
  }
}

/** The files of a backup, by key. */
export async function readFileList(backup: string): Promise<ReadonlyMap<string, FileEntry>> {
  const entries = new Map<string, FileEntry>();
  for await (const line of createInterface({ input: createReadStream(join(backup, FILES)) })) {
    const entry = JSON.parse(line) as FileEntry;
    entries.set(entry.key, entry);
  }
  return entries;
}

/**
 * Puts every stored file into a backup: files unchanged since the previous backup as hard links, the others as copies. A file removed meanwhile is left
 * out: it was moved to the trash long before, so the copied log no longer names it (unless TRASH_DAYS is 0).
 */
export async function copyFilesInto(
  backup: string,
  from: { readonly blobs: string; readonly previous: string | null; readonly signal: AbortSignal },
): Promise<readonly FileEntry[]> {
  const known = from.previous === null ? new Map<string, FileEntry>() : await readFileList(from.previous);
  const entries: FileEntry[] = [];
  for await (const key of keysIn(from.blobs)) {
    from.signal.throwIfAborted();
    const entry = await linkOrCopy(key, { ...from, backup, known: known.get(key) });
    if (entry !== null) entries.push(entry);
  }
  const list = await open(join(backup, FILES), 'wx', 0o600);
  try {
    for (const entry of entries) await list.write(`${JSON.stringify(entry)}\n`);
    await list.sync();
  } finally {
    await list.close();
  }
  return entries;
}

interface CopyOptions {
  readonly backup: string;
  readonly blobs: string;
  readonly previous: string | null;
  readonly known: FileEntry | undefined;
}

async function linkOrCopy(key: string, { backup, blobs, previous, known }: CopyOptions): Promise<FileEntry | null> {
  const to = join(backup, BLOBS, key);
  try {
    const { size, mtimeMs } = await stat(join(blobs, key));
    await mkdir(dirname(to), { recursive: true });
    const isUnchanged = previous !== null && known?.size === size && known.modified === Math.trunc(mtimeMs);
    if (isUnchanged && (await tryLink(join(previous, BLOBS, key), to))) return known;
    await copyDurably(join(blobs, key), to);
    return { key, modified: Math.trunc(mtimeMs), ...(await digestOf(to)) };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** False if the file system does not support hard links, or the file is gone. */
async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch {
    // The file is copied instead.
    return false;
  }
}

/** Copies a file with its timestamps, readable and writable for its owner only. The copy is durable when this resolves. */
export async function copyDurably(from: string, to: string): Promise<void> {
  const { atime, mtime } = await stat(from);
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await chmod(to, 0o600);
  await utimes(to, atime, mtime);
  const handle = await open(to, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Syncs a folder and all folders below it, so their entries survive a power cut. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) if (entry.isDirectory()) await syncTree(join(folder, entry.name));
  await syncFolder(folder);
}
