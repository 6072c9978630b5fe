import { resolve } from 'node:path';
import type { Config } from '../platform/config/config.js';
import { BackupUnusable } from '../platform/backup/backup-manifest.js';
import { restoreBackup, type Restored } from '../platform/backup/restore-backup.js';
import { systemClock } from '../platform/clock.js';
import { eventsIn } from '../platform/event-store/log-copy.js';
import { filesNamedBy } from '../media/stored-files.queries.js';
import { slices } from '../slices.js';
import { onlyEmbedded } from './log-of.js';
import { type Asked, type Operation, OperationError } from './operation.js';
import { settleData, settlingOf } from './settle-data.js';

/** Puts a backup back into an empty data folder. */
export const restore: Operation = {
  name: 'restore',
  about: 'puts a backup into an empty data folder, checked from end to end; erases again whom ERASURES_FILE names; everybody signs in anew',
  usage: '--from <backup> [--to <data folder>]',
  options: { from: { type: 'string' }, to: { type: 'string' } },
  async run(asked) {
    onlyEmbedded('restore', asked.config);
    const { from, to } = asked.values;
    if (typeof from !== 'string' || from === '' || to === '')
      throw new OperationError('restore: say where from, --from <backup>, and where to unless DATA_DIR names it');
    const config = typeof to === 'string' ? { ...asked.config, DATA_DIR: resolve(to) } : asked.config;
    const { manifest, identity } = await restoreInto(config, resolve(from), asked);
    await asked.say(`${config.DATA_DIR}: the log ${identity} up to position ${manifest.log.position}, as of ${new Date(manifest.at).toISOString()}`);
    return 0;
  },
};

const isNamed = (logFile: string): ((key: string) => boolean) => filesNamedBy(eventsIn(logFile));

async function restoreInto(config: Config, from: string, asked: Asked): Promise<Restored> {
  const tell = (line: string): void => asked.tell(line);
  const settle = (): Promise<void> => settleData(config, settlingOf(asked));
  try {
    return await restoreBackup({ config, from, recordKinds: slices.recordKinds, clock: systemClock, signal: asked.signal, tell, isNamed, settle });
  } catch (error) {
    if (error instanceof BackupUnusable) throw new OperationError(`restore: ${error.message}`);
    throw error;
  }
}
