import { join } from 'node:path';
import { verifyLogFile } from '../event-store/log-copy.js';
import { verifyVaultFile } from '../vault/vault-copy.js';
import { readFileList } from './backup-files.js';
import { BackupUnusable, BLOBS, digestOf, type FileDigest, FILES, LOG, type Manifest, VAULT } from './backup-manifest.js';

async function verifyFile(path: string, expected: FileDigest): Promise<void> {
  const { size, sha256 } = await digestOf(path).catch((error: unknown) => {
    throw new BackupUnusable(`${path} cannot be read`, { cause: error });
  });
  if (size !== expected.size || sha256 !== expected.sha256) throw new BackupUnusable(`${path} differs from the file that was backed up`);
}

/**
 * Reads a whole backup and compares it with its manifest: every file by its checksum, the log row by row.
 * @throws BackupUnusable for a missing or changed file, StoreDamaged for a damaged log or vault
 */
export async function verifyBackup(folder: string, manifest: Manifest, signal: AbortSignal): Promise<void> {
  await verifyFile(join(folder, LOG), manifest.log);
  await verifyFile(join(folder, VAULT), manifest.vault);
  await verifyFile(join(folder, FILES), manifest.files);
  const { identity, position, sum } = verifyLogFile(join(folder, LOG));
  const { log } = manifest;
  if (identity !== log.identity || position !== log.position || sum !== log.sum) throw new BackupUnusable(`${folder}: the log does not match the manifest`);
  verifyVaultFile(join(folder, VAULT));
  for (const [key, entry] of await readFileList(folder)) {
    signal.throwIfAborted();
    await verifyFile(join(folder, BLOBS, key), entry);
  }
}
