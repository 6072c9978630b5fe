import { constants, createReadStream } from 'node:fs';
import { chmod, copyFile, link, mkdir, open, readdir, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { syncFolder, systemCode } from '../durable-file.js';
import { BLOBS, FILES, type Summed, sumOfFile } from './backup-manifest.js';

/** One stored file in a backup. `modified` in milliseconds; with size and key it tells whether it is the same file still. */
export interface FileEntry extends Summed {
  readonly key: string;
  readonly modified: number;
}

/** Files on their way in are not backed up: nothing names them, and their records are left out too. */
const ON_THE_WAY = 'uploads';

/** Every key below a folder of files, in order; what begins with a dot is the store's own. */
export async function* keysIn(folder: string, prefix = ''): AsyncGenerator<string> {
  const entries = await readdir(join(folder, prefix), { withFileTypes: true }).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const key = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    if (entry.name.startsWith('.') || key === ON_THE_WAY) continue;
    if (entry.isDirectory()) yield* keysIn(folder, key);
    else if (entry.isFile()) yield key;
  }
}

/** The files that a backup lists, by key. */
export async function readFileList(backup: string): Promise<ReadonlyMap<string, FileEntry>> {
  const entries = new Map<string, FileEntry>();
  for await (const line of createInterface({ input: createReadStream(join(backup, FILES)) })) {
    const entry = JSON.parse(line) as FileEntry;
    entries.set(entry.key, entry);
  }
  return entries;
}

/**
 * Brings every stored file into a backup: those that the backup before holds as they are by a second name, the others copied.
 * A file that is removed meanwhile is left out: what was removed before the log was copied is named by nobody in it.
 */
export async function copyFilesInto(
  backup: string,
  from: { readonly blobs: string; readonly before: string | null; readonly signal: AbortSignal },
): Promise<readonly FileEntry[]> {
  const known = from.before === null ? new Map<string, FileEntry>() : await readFileList(from.before);
  const entries: FileEntry[] = [];
  for await (const key of keysIn(from.blobs)) {
    from.signal.throwIfAborted();
    const entry = await bringFile(key, { ...from, backup, known: known.get(key) });
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

interface Bringing {
  readonly backup: string;
  readonly blobs: string;
  readonly before: string | null;
  readonly known: FileEntry | undefined;
}

async function bringFile(key: string, { backup, blobs, before, known }: Bringing): Promise<FileEntry | null> {
  const to = join(backup, BLOBS, key);
  try {
    const { size, mtimeMs } = await stat(join(blobs, key));
    await mkdir(dirname(to), { recursive: true });
    const isSame = before !== null && known?.size === size && known.modified === Math.trunc(mtimeMs);
    if (isSame && (await linked(join(before, BLOBS, key), to))) return known;
    await copyDurably(join(blobs, key), to);
    return { key, modified: Math.trunc(mtimeMs), ...(await sumOfFile(to)) };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** A second name for a file; false where the file system has none, or the file is gone. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch {
    // Whatever the reason, copying it does as well.
    return false;
  }
}

/** Copies a file with its time; on the disk when this resolves, and the store's own to change. */
export async function copyDurably(from: string, to: string, mode = 0o644): Promise<void> {
  const { atime, mtime } = await stat(from);
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await chmod(to, mode);
  await utimes(to, atime, mtime);
  const handle = await open(to, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Brings the names in a folder and all below it to the disk. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) if (entry.isDirectory()) await syncTree(join(folder, entry.name));
  await syncFolder(folder);
}
