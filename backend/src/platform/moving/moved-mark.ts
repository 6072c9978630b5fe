import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { placeNewFile, syncFolder, writeTemporary } from '../durable-file.js';
import { ServiceUnavailable } from '../store-errors.js';

const MARK = 'moved.txt';

export const movedMarkOf = (dataDir: string): string => join(dataDir, MARK);

/** Prevents writing to a log that was moved. @throws ServiceUnavailable; its message explains how to continue with this folder anyway */
export function refuseMoved(dataDir: string): void {
  if (!existsSync(movedMarkOf(dataDir))) return;
  throw new ServiceUnavailable(
    `${dataDir}: this data was moved to other servers; set their addresses, or remove ${movedMarkOf(dataDir)} to continue with the data here`,
  );
}

/** Marks a data folder as moved. */
export async function markMoved(dataDir: string, text: string): Promise<void> {
  const temporary = await writeTemporary(dataDir, Buffer.from(`${text}\n`), 0o600);
  await placeNewFile(temporary, movedMarkOf(dataDir));
  await syncFolder(dataDir);
}
