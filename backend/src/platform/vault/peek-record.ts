import { copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Document } from '../documents/documents.js';
import { walOf } from '../sqlite/wal-file.js';
import { inTemporaryFolder } from '../temporary-folder.js';

/**
 * One record of a vault's file, read without changing any file beside it, even one that SQLite would recover. null if there is no such record, or the file
 * cannot be read: opening the vault tells why.
 */
export async function peekRecord<Body extends Document>(file: string, collection: string, id: string): Promise<Body | null> {
  try {
    const found = (await isClosed(file)) ? readFrom(immutable(file), collection, id) : await readFromCopy(file, collection, id);
    return found === null ? null : (JSON.parse(found) as Body);
  } catch {
    return null;
  }
}

/** Whether the file alone contains every commit. */
async function isClosed(file: string): Promise<boolean> {
  const wal = await stat(walOf(file)).catch(() => null);
  return wal === null || wal.size === 0;
}

/** SQLite creates a write-ahead log and its index even for readers, except beside a file that is said never to change. */
const immutable = (file: string): URL => new URL(`${pathToFileURL(file).href}?immutable=1`);

async function readFromCopy(file: string, collection: string, id: string): Promise<string | null> {
  return inTemporaryFolder('vault', async (folder) => {
    const copy = join(folder, 'vault.db');
    await copyFile(file, copy);
    await copyFile(walOf(file), walOf(copy));
    return readFrom(copy, collection, id);
  });
}

function readFrom(location: string | URL, collection: string, id: string): string | null {
  const db = new DatabaseSync(location, { readOnly: true });
  try {
    const row = db.prepare('SELECT body FROM records WHERE collection=? AND id=?').get(collection, id) as { readonly body: string } | undefined;
    return row?.body ?? null;
  } finally {
    db.close();
  }
}
