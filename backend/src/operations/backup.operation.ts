import { isAbsolute, relative, resolve } from 'node:path';
import { BackupUnusable } from '../platform/backup/backup-manifest.js';
import { type BackupMade, makeBackup } from '../platform/backup/make-backup.js';
import { systemClock } from '../platform/clock.js';
import { erasuresFileOf } from '../platform/personal-data/erasure-list.js';
import { onlyEmbedded } from './log-of.js';
import { type Asked, type Operation, OperationError } from './operation.js';

/** Backs up beside a running server, or without one. */
export const backup: Operation = {
  name: 'backup',
  about: 'copies log, vault and files into a new dated folder below another one, beside the running server; files of the backup before are linked, not copied',
  usage: '--to <folder> [--with-keys]',
  options: { to: { type: 'string' }, 'with-keys': { type: 'boolean', default: false } },
  async run(asked) {
    onlyEmbedded('backup', asked.config);
    const { to, 'with-keys': withKeys } = asked.values;
    if (typeof to !== 'string' || to === '') throw new OperationError('backup: say where to, --to <folder>');
    if (liesIn(asked.config.DATA_DIR, to)) throw new OperationError(`backup: ${resolve(to)} lies in the data folder, and would be lost with it`);
    const { folder, manifest } = await backUp(asked, resolve(to), withKeys === true);
    await asked.say(`${folder}: the log up to position ${manifest.log.position}, ${manifest.files.count} files, ${manifest.files.bytes} bytes`);
    warn(asked, manifest.keys);
    return 0;
  },
};

/** Whether a path is a folder or lies in it. */
function liesIn(folder: string, path: string): boolean {
  const way = relative(resolve(folder), resolve(path));
  return way === '' || !(way.startsWith('..') || isAbsolute(way));
}

async function backUp(asked: Asked, to: string, withKeys: boolean): Promise<BackupMade> {
  const { config, signal } = asked;
  try {
    return await makeBackup({ config, to, withKeys, clock: systemClock, signal, tell: (line) => asked.tell(line) });
  } catch (error) {
    if (error instanceof BackupUnusable) throw new OperationError(`backup: ${error.message}`);
    throw error;
  }
}

/** A backup nobody can open is none, and one that anybody can open is another danger: who makes it has to know. */
function warn(asked: Asked, hasKeys: boolean): void {
  const { config } = asked;
  if (hasKeys) asked.tell('KEYS INSIDE: whoever has this backup can read everything in it. Keep it as you keep a key.');
  else if (config.MASTER_KEY !== null)
    asked.tell('THE MASTER KEY IS NOT INSIDE: without the MASTER_KEY of this environment nobody can ever open this backup. Keep it elsewhere.');
  else asked.tell(`THE MASTER KEY IS NOT INSIDE: without ${config.DATA_DIR}/master.key nobody can ever open this backup. Keep a copy of that file elsewhere.`);
  asked.tell(`Keep ${erasuresFileOf(config)} too, apart from both: a restore needs it.`);
}
