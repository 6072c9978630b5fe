import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Config } from '../platform/config/config.js';
import { BackupUnusable } from '../platform/backup/backup-manifest.js';
import { restoreBackup, type RestoredBackup } from '../platform/backup/restore-backup.js';
import { adminKeyFileOf } from '../platform/auth/secrets.js';
import { systemClock } from '../platform/clock.js';
import { eventsIn } from '../platform/event-store/log-copy.js';
import { readableTypes } from '../platform/streams/written-types.js';
import { filesNamedBy } from '../media/stored-files.queries.js';
import { slices } from '../slices.js';
import { requireEmbedded } from './log-file.js';
import { type OperationContext, type Operation, OperationError } from './operation.js';
import { finishRestore, progressOptions } from './finish-restore.js';

/** Restores a backup into an empty data folder. */
export const restore: Operation = {
  name: 'restore',
  about: 'restores and verifies a backup into an empty data folder; erases users listed in ERASURES_FILE again; all sessions end',
  usage: '--from <backup> [--to <data folder>]',
  options: { from: { type: 'string' }, to: { type: 'string' } },
  async run(context) {
    requireEmbedded('restore', context.config);
    const { from, to } = context.values;
    if (typeof from !== 'string' || from === '' || to === '')
      throw new OperationError('restore: name the backup, --from <backup>, and the target, --to or DATA_DIR');
    const config = typeof to === 'string' ? { ...context.config, DATA_DIR: resolve(to) } : context.config;
    const { folder, manifest, identity } = await restoreInto(config, resolve(from), context);
    context.security.record('backup.restored', { target: basename(folder) });
    await context.print(`${config.DATA_DIR}: the log ${identity} up to position ${manifest.log.position}, as of ${new Date(manifest.at).toISOString()}`);
    if (config.ADMIN_KEY === null && !existsSync(adminKeyFileOf(config)))
      context.log(`ADMIN KEY NOT INCLUDED: the next start creates a new one, ${adminKeyFileOf(config)}. The earlier key does not work here.`);
    return 0;
  },
};

const isNamed = (logFile: string): ((key: string) => boolean) => filesNamedBy(eventsIn(logFile));

async function restoreInto(config: Config, from: string, context: OperationContext): Promise<RestoredBackup> {
  const report = (line: string): void => context.log(line);
  const settle = (): Promise<void> => finishRestore(config, progressOptions(context));
  try {
    const { recordKinds } = slices;
    const readable = readableTypes(slices);
    return await restoreBackup({ config, from, recordKinds, readable, clock: systemClock, signal: context.signal, report, isNamed, settle });
  } catch (error) {
    if (error instanceof BackupUnusable) throw new OperationError(`restore: ${error.message}`);
    throw error;
  }
}
