import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../clock.js';
import type { Config } from '../config/config.js';
import { syncFolder, systemCode } from '../durable-file.js';
import { ErasureList, erasuresFileOf } from '../personal-data/erasure-list.js';
import { renewIdentity } from '../event-store/log-copy.js';
import type { RecordKinds } from '../vault/record-kinds.js';
import { opensWith, settleVault } from '../vault/vault-copy.js';
import { copyDurably, readFileList, syncTree } from './backup-files.js';
import { BackupUnusable, BLOBS, KEYS, LOG, type Manifest, VAULT } from './backup-manifest.js';
import { backupAt } from './make-backup.js';
import { markFinished, markOf, markUnfinished } from './unfinished-restore.js';
import { verifyBackup } from './verify-backup.js';

/** What may lie in a folder before a restore: the keys that were kept apart from the backup. */
const KEPT_APART = ['master.key', 'admin.key'];

/** What is restored, where to. */
export interface RestoreAsked {
  readonly config: Pick<Config, 'DATA_DIR' | 'ERASURES_FILE' | 'MASTER_KEY'>;
  readonly from: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
  /** Whether a stored file belongs to something that the restored log knows; the others came later. */
  readonly isNamed: (logFile: string) => (key: string) => boolean;
  readonly recordKinds: RecordKinds;
  /** Runs on the data as they stand again, before anything is served: erases whom the list names. */
  readonly settle: () => Promise<void>;
}

/** What was restored, and the identity that the log has now. */
export interface Restored {
  readonly manifest: Manifest;
  readonly identity: string;
}

/**
 * Puts a backup back into an empty data folder. Everything is checked before anything is written; what is cut off afterwards cannot be started and is
 * begun anew. The log gets a new identity, the read models are left out, the vault is brought to where the log ends.
 * @throws BackupUnusable, StoreDamaged, DiskFull
 */
export async function restoreBackup(asked: RestoreAsked): Promise<Restored> {
  const { DATA_DIR } = asked.config;
  const { folder, manifest } = await backupAt(asked.from);
  await refuseData(DATA_DIR);
  await refuseWithoutErasures(asked.config, manifest);
  asked.tell(`verifying ${folder}`);
  await verifyBackup(folder, manifest);
  await refuseWithoutMasterKey(asked.config, folder);
  await mkdir(DATA_DIR, { recursive: true, mode: 0o700 });
  await markUnfinished(DATA_DIR);
  await clear(DATA_DIR);
  asked.tell('copying');
  await copyBack(folder, manifest, asked);
  const identity = renewIdentity(join(DATA_DIR, LOG));
  const restored = { position: manifest.log.position, reactors: manifest.reactors, restoredAt: asked.clock() };
  settleVault(join(DATA_DIR, VAULT), restored, asked.recordKinds);
  asked.tell('erasing whom the list names');
  await asked.settle();
  await syncTree(DATA_DIR);
  await markFinished(DATA_DIR);
  return { manifest, identity };
}

async function refuseData(dataDir: string): Promise<void> {
  if (existsSync(markOf(dataDir))) return;
  const names = await readdir(dataDir).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });
  const [found] = names.filter((name) => !KEPT_APART.includes(name));
  if (found !== undefined) throw new BackupUnusable(`${dataDir} is not empty (it holds ${found}): restore into an empty folder`);
}

async function refuseWithoutErasures(config: RestoreAsked['config'], manifest: Manifest): Promise<void> {
  const file = erasuresFileOf(config);
  const help = 'it says who was erased, and must be kept apart from the data and the backups';
  if (!existsSync(file))
    throw new BackupUnusable(`ERASURES_FILE: there is no ${file}; ${help}. Name the list that was kept; only if nobody ever was erased, make an empty one`);
  const list = await ErasureList.existing(file);
  if (!(await list.continues(manifest.erasures))) {
    throw new BackupUnusable(
      `ERASURES_FILE: ${file} does not go on from the ${manifest.erasures.count} erasures that were noted when this backup was made; ${help}`,
    );
  }
  await list.all();
}

/** The master key as text: of the environment, of the folder, or of the backup. */
async function masterKeyFor(config: RestoreAsked['config'], backup: string): Promise<string | null> {
  if (config.MASTER_KEY !== null) return config.MASTER_KEY;
  for (const path of [join(config.DATA_DIR, 'master.key'), join(backup, KEYS, 'master.key')]) {
    if (existsSync(path)) return (await readFile(path, 'utf8')).trim();
  }
  return null;
}

async function refuseWithoutMasterKey(config: RestoreAsked['config'], backup: string): Promise<void> {
  const key = await masterKeyFor(config, backup);
  if (key === null) throw new BackupUnusable(`MASTER_KEY: needed to open what was backed up; give it, or put the file master.key into ${config.DATA_DIR}`);
  if (!opensWith(join(backup, VAULT), key)) throw new BackupUnusable('MASTER_KEY: not the key of this backup');
}

/** What a restore that was cut off left. */
async function clear(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (join(dataDir, name) !== markOf(dataDir) && !KEPT_APART.includes(name)) await rm(join(dataDir, name), { recursive: true });
  }
}

async function copyBack(backup: string, manifest: Manifest, { config: { DATA_DIR }, isNamed, signal }: RestoreAsked): Promise<void> {
  for (const name of [LOG, VAULT]) await copyDurably(join(backup, name), join(DATA_DIR, name), 0o600);
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
