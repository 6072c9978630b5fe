import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../durable-file.js';
import { BackupUnusable } from './backup-manifest.js';

/** Lies in a data folder from the first to the last moment of a restore. */
const MARK = 'restore.unfinished';

export const markOf = (dataDir: string): string => join(dataDir, MARK);

/** @throws BackupUnusable for a data folder in which a restore was cut off: half of it is not taken for the whole */
export function refuseUnfinished(dataDir: string): void {
  if (existsSync(markOf(dataDir))) throw new BackupUnusable(`${dataDir}: a restore into this folder was cut off, run it again`);
}

export async function markUnfinished(dataDir: string): Promise<void> {
  const handle = await open(markOf(dataDir), 'a', 0o600);
  await handle.close();
  await syncFolder(dataDir);
}

export async function markFinished(dataDir: string): Promise<void> {
  await rm(markOf(dataDir));
  await syncFolder(dataDir);
}
