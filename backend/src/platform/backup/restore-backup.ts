import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../clock.js';
import type { Config } from '../config/config.js';
import { syncFolder, systemCode } from '../durable-file.js';
import { ErasureList, erasuresFileOf } from '../personal-data/erasure-list.js';
import { renewIdentity } from '../event-store/log-copy.js';
import { newerThan, type ReadableTypes, WRITTEN_TYPES } from '../streams/written-types.js';
import type { RecordKinds } from '../vault/record-kinds.js';
import { opensWith, readVault, settleVault } from '../vault/vault-copy.js';
import { copyDurably, readFileList, syncTree } from './backup-files.js';
import { BackupUnusable, BLOBS, KEY_FILES, KEYS, LOG, type Manifest, VAULT } from './backup-manifest.js';
import { type Backup, backupAt } from './make-backup.js';
import { markFinished, markOf, markUnfinished } from './unfinished-restore.js';
import { verifyBackup } from './verify-backup.js';

/** What to restore and where to, and the parts that depend on the slices. */
export interface RestoreOptions {
  readonly config: Pick<Config, 'DATA_DIR' | 'ERASURES_FILE' | 'MASTER_KEY'>;
  readonly from: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
  /** Whether the restored log names a stored file; the others are newer. */
  readonly isNamed: (logFile: string) => (key: string) => boolean;
  readonly recordKinds: RecordKinds;
  /** What this program can read: it would not start on a newer log. */
  readonly readable: ReadableTypes;
  /** Runs on the restored data before anything is served; erases everyone on the list of erasures again. */
  readonly settle: () => Promise<void>;
}

/** A restored backup and the new identity of its log. */
export interface RestoredBackup extends Backup {
  readonly identity: string;
}

/**
 * Restores a backup into an empty data folder. Everything is verified before anything is written. No program starts on an interrupted restore, and the
 * next one starts over. The log gets a new identity, read models are left out, and the vault is rolled back to the end of the log.
 * @throws BackupUnusable, StoreDamaged, DiskFull
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoredBackup> {
  const { DATA_DIR } = options.config;
  const { folder, manifest } = await backupAt(options.from);
  await refuseData(DATA_DIR);
  await refuseWithoutErasures(options.config, manifest);
  options.report(`verifying ${folder}`);
  await verifyBackup(folder, manifest, options.signal);
  await refuseWithoutMasterKey(options.config, folder);
  await refuseNewer(folder, options.readable);
  await mkdir(DATA_DIR, { recursive: true, mode: 0o700 });
  await markUnfinished(DATA_DIR);
  await clear(DATA_DIR);
  options.report('copying');
  await copyBack(folder, manifest, options);
  const identity = renewIdentity(join(DATA_DIR, LOG));
  const restored = { position: manifest.log.position, reactors: manifest.reactors, restoredAt: options.clock() };
  settleVault(join(DATA_DIR, VAULT), restored, options.recordKinds);
  options.report('erasing users listed in ERASURES_FILE again');
  await options.settle();
  await syncTree(DATA_DIR);
  await markFinished(DATA_DIR);
  return { folder, manifest, identity };
}

async function refuseData(dataDir: string): Promise<void> {
  if (existsSync(markOf(dataDir))) return;
  const names = await readdir(dataDir).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });
  const [found] = names.filter((name) => !KEY_FILES.includes(name));
  if (found !== undefined) throw new BackupUnusable(`${dataDir} is not empty (it contains ${found}): restore into an empty folder`);
}

async function refuseWithoutErasures(config: RestoreOptions['config'], manifest: Manifest): Promise<void> {
  const file = erasuresFileOf(config);
  const help = 'it lists erased users and must be stored apart from the data and its backups';
  if (!existsSync(file))
    throw new BackupUnusable(`ERASURES_FILE: ${file} does not exist; ${help}. Name the saved list; create an empty one only if no user was ever erased`);
  const list = await ErasureList.existing(file);
  if (!(await list.continues(manifest.erasures))) {
    throw new BackupUnusable(
      `ERASURES_FILE: ${file} does not continue the list of ${manifest.erasures.count} erasures from when this backup was made; ${help}`,
    );
  }
  await list.all();
}

/** The master key as text, from the environment, the data folder or the backup. */
async function masterKeyFor(config: RestoreOptions['config'], backup: string): Promise<string | null> {
  if (config.MASTER_KEY !== null) return config.MASTER_KEY;
  for (const path of [join(config.DATA_DIR, 'master.key'), join(backup, KEYS, 'master.key')]) {
    if (existsSync(path)) return (await readFile(path, 'utf8')).trim();
  }
  return null;
}

async function refuseWithoutMasterKey(config: RestoreOptions['config'], backup: string): Promise<void> {
  const key = await masterKeyFor(config, backup);
  if (key === null) throw new BackupUnusable(`MASTER_KEY: needed to open this backup; set it, or put the file master.key into ${config.DATA_DIR}`);
  if (!opensWith(join(backup, VAULT), key)) throw new BackupUnusable('MASTER_KEY: not the key of this backup');
}

async function refuseNewer(backup: string, readable: ReadableTypes): Promise<void> {
  const problem = await readVault(join(backup, VAULT), async (vault) => newerThan(readable, [...vault.records(WRITTEN_TYPES)]));
  if (problem !== null) throw new BackupUnusable(`${backup}: ${problem}. Restore it with the newer version, or restore a backup from before the update`);
}

/** Removes what an interrupted restore has written. */
async function clear(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (join(dataDir, name) !== markOf(dataDir) && !KEY_FILES.includes(name)) await rm(join(dataDir, name), { recursive: true });
  }
}

async function copyBack(backup: string, manifest: Manifest, { config: { DATA_DIR }, isNamed, signal }: RestoreOptions): Promise<void> {
  for (const name of [LOG, VAULT]) await copyDurably(join(backup, name), join(DATA_DIR, name));
  const named = isNamed(join(backup, LOG));
  await mkdir(join(DATA_DIR, BLOBS), { recursive: true });
  for (const key of (await readFileList(backup)).keys()) {
    signal.throwIfAborted();
    if (!named(key)) continue;
    await mkdir(dirname(join(DATA_DIR, BLOBS, key)), { recursive: true });
    await copyDurably(join(backup, BLOBS, key), join(DATA_DIR, BLOBS, key));
  }
  for (const name of manifest.keys ? await readdir(join(backup, KEYS)) : []) {
    if (!existsSync(join(DATA_DIR, name))) await copyFile(join(backup, KEYS, name), join(DATA_DIR, name));
  }
  await syncFolder(DATA_DIR);
}
