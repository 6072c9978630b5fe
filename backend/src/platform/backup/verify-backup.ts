import { join } from 'node:path';
import { verifyLogFile } from '../event-store/log-copy.js';
import { verifyVaultFile } from '../vault/vault-copy.js';
import { readFileList } from './backup-files.js';
import { BackupUnusable, BLOBS, FILES, LOG, type Manifest, type Summed, sumOfFile, VAULT } from './backup-manifest.js';

async function mustBe(path: string, expected: Summed): Promise<void> {
  const { size, sha256 } = await sumOfFile(path).catch((error: unknown) => {
    throw new BackupUnusable(`${path} cannot be read`, { cause: error });
  });
  if (size !== expected.size || sha256 !== expected.sha256) throw new BackupUnusable(`${path} is not what was backed up`);
}

/**
 * Reads a whole backup and holds it to its manifest: every file by its sum, the log row by row.
 * @throws BackupUnusable for what is missing or changed, StoreDamaged for a log that is not whole
 */
export async function verifyBackup(folder: string, manifest: Manifest): Promise<void> {
  await mustBe(join(folder, LOG), manifest.log);
  await mustBe(join(folder, VAULT), manifest.vault);
  await mustBe(join(folder, FILES), manifest.files);
  const { identity, position, sum } = verifyLogFile(join(folder, LOG));
  const { log } = manifest;
  if (identity !== log.identity || position !== log.position || sum !== log.sum) throw new BackupUnusable(`${folder}: the log is not the one of the manifest`);
  verifyVaultFile(join(folder, VAULT));
  for (const [key, entry] of await readFileList(folder)) await mustBe(join(folder, BLOBS, key), entry);
}
