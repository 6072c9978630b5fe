import { basename, isAbsolute, relative, resolve } from 'node:path';
import { BackupUnusable } from '../platform/backup/backup-manifest.js';
import { type BackupOptions, type MadeBackup, makeBackup } from '../platform/backup/make-backup.js';
import { systemClock } from '../platform/clock.js';
import { erasuresFileOf } from '../platform/personal-data/erasure-list.js';
import { requireEmbedded } from './log-file.js';
import { type OperationContext, type Operation, OperationError } from './operation.js';

/** Backs up beside a running server, or without one. */
export const backup: Operation = {
  name: 'backup',
  about:
    'copies log, vault and files into a new dated subfolder. Works while the server is running. Files of the previous backup are linked, not copied. --keep removes all but the newest N backups afterwards',
  usage: '--to <folder> [--keep N] [--with-keys]',
  options: { to: { type: 'string' }, keep: { type: 'string' }, 'with-keys': { type: 'boolean', default: false } },
  async run(context) {
    requireEmbedded('backup', context.config);
    const { to, 'with-keys': withKeys } = context.values;
    if (typeof to !== 'string' || to === '') throw new OperationError('backup: name the target folder, --to <folder>');
    if (isInside(context.config.DATA_DIR, to)) throw new OperationError(`backup: ${resolve(to)} is inside the data folder and would be lost with it`);
    const { folder, manifest, removed } = await backUp(context, { to: resolve(to), keep: keptNumber(context.values.keep), withKeys: withKeys === true });
    await context.print(`${folder}: the log up to position ${manifest.log.position}, ${manifest.files.count} files, ${manifest.files.bytes} bytes`);
    for (const older of removed) await context.print(`${older}: removed`);
    context.security.record('backup.made', { target: basename(folder) });
    warn(context, manifest.keys);
    return 0;
  },
};

/** Whether a path is a folder or inside it. */
function isInside(folder: string, path: string): boolean {
  const fromFolder = relative(resolve(folder), resolve(path));
  return fromFolder === '' || !(fromFolder.startsWith('..') || isAbsolute(fromFolder));
}

/** @throws OperationError unless it is a whole number, at least 1 */
function keptNumber(value: string | boolean | undefined): number | null {
  if (value === undefined) return null;
  if (typeof value !== 'string' || !/^[1-9]\d{0,5}$/.test(value)) throw new OperationError('backup: --keep takes the number of backups to keep, at least 1');
  return Number(value);
}

async function backUp(context: OperationContext, options: Pick<BackupOptions, 'to' | 'keep' | 'withKeys'>): Promise<MadeBackup> {
  const { config, signal } = context;
  try {
    return await makeBackup({ ...options, config, clock: systemClock, signal, report: (line) => context.log(line) });
  } catch (error) {
    if (error instanceof BackupUnusable) throw new OperationError(`backup: ${error.message}`);
    throw error;
  }
}

/** A backup without its key is useless, and one with the key is dangerous, so the operator is warned either way. */
function warn(context: OperationContext, hasKeys: boolean): void {
  const { config } = context;
  if (hasKeys) context.log('KEYS INCLUDED: anyone with this backup can read all of it. Protect it like a key.');
  else if (config.MASTER_KEY !== null)
    context.log('MASTER KEY NOT INCLUDED: this backup cannot be opened without the MASTER_KEY of this environment. Store it elsewhere.');
  else context.log(`MASTER KEY NOT INCLUDED: this backup cannot be opened without ${config.DATA_DIR}/master.key. Store a copy of that file elsewhere.`);
  context.log(`Keep ${erasuresFileOf(config)} separately as well: a restore needs it.`);
}
