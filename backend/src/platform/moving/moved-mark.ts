import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { placeNewFile, syncFolder, writeTemporary } from '../durable-file.js';
import { StoreAway } from '../store-errors.js';

const MARK = 'moved.txt';

export const movedMarkOf = (dataDir: string): string => join(dataDir, MARK);

/** A log that lives on elsewhere is not written here any more. @throws StoreAway, which says how to do it nonetheless */
export function refuseMoved(dataDir: string): void {
  if (!existsSync(movedMarkOf(dataDir))) return;
  throw new StoreAway(
    `${dataDir}: what lies here was moved to other servers; set their addresses, or remove ${movedMarkOf(dataDir)} to go on from what is here`,
  );
}

/** Notes in a data folder that its log lives on elsewhere. */
export async function markMoved(dataDir: string, text: string): Promise<void> {
  const temporary = await writeTemporary(dataDir, Buffer.from(`${text}\n`), 0o600);
  await placeNewFile(temporary, movedMarkOf(dataDir));
  await syncFolder(dataDir);
}
