import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../durable-file.js';
import { BackupUnusable } from './backup-manifest.js';

/** Exists in a data folder while a restore into it is unfinished. */
const MARK = 'restore.unfinished';

export const markOf = (dataDir: string): string => join(dataDir, MARK);

/** Keeps a program from starting on half-restored data. @throws BackupUnusable after an interrupted restore */
export function refuseUnfinished(dataDir: string): void {
  if (existsSync(markOf(dataDir))) throw new BackupUnusable(`${dataDir}: a restore into this folder was interrupted; run it again`);
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
