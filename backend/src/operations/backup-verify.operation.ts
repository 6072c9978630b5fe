import { resolve } from 'node:path';
import { type Backup, backupAt } from '../platform/backup/make-backup.js';
import { BackupUnusable } from '../platform/backup/backup-manifest.js';
import { verifyBackup } from '../platform/backup/verify-backup.js';
import { StoreDamaged } from '../platform/store-errors.js';
import { type OperationContext, type Operation, OperationError } from './operation.js';

/** Checks a backup without restoring it. */
export const backupVerify: Operation = {
  name: 'backup verify',
  about:
    'compares a backup with what was backed up: log, vault and every file by checksum, and the log row by row. Changes nothing and needs no keys. Exit code 1 means damage',
  usage: '--from <backup>',
  options: { from: { type: 'string' } },
  async run(context) {
    const { from } = context.values;
    if (typeof from !== 'string' || from === '') throw new OperationError('backup verify: name the backup, --from <backup>');
    const { folder, manifest } = await chosen(resolve(from));
    try {
      await verifyBackup(folder, manifest, context.signal);
    } catch (error) {
      if (!(error instanceof BackupUnusable || error instanceof StoreDamaged)) throw error;
      return await reportDamage(context, error);
    }
    const { log, files, at } = manifest;
    await context.print(
      `${folder} is intact: the log up to position ${log.position}, ${files.count} files, ${files.bytes} bytes, as of ${new Date(at).toISOString()}`,
    );
    return 0;
  },
};

async function chosen(from: string): Promise<Backup> {
  try {
    return await backupAt(from);
  } catch (error) {
    if (error instanceof BackupUnusable) throw new OperationError(`backup verify: ${error.message}`);
    throw error;
  }
}

async function reportDamage(context: OperationContext, { message }: Error): Promise<number> {
  await context.print(message);
  await context.print(
    'this backup cannot be restored. Make another one, into a new folder: the next one in this folder would link unchanged files of this one',
  );
  return 1;
}
