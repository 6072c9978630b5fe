import { existsSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '../clock.js';
import type { Config } from '../config/config.js';
import { syncFolder, systemCode } from '../durable-file.js';
import { ErasureList, erasuresFileOf } from '../personal-data/erasure-list.js';
import { copyLog, ifFree, verifyLogFile } from '../event-store/log-copy.js';
import { copyDatabase } from '../sqlite/copy-database.js';
import { checkWalOf } from '../sqlite/wal-file.js';
import { reactorPositionsIn, verifyVaultFile } from '../vault/vault-copy.js';
import { copyFilesInto, type FileEntry, syncTree } from './backup-files.js';
import { BackupUnusable, BLOBS, FILES, FORMAT, KEYS, LOG, MANIFEST, type Manifest, readManifest, sumOfFile, VAULT } from './backup-manifest.js';

/** The keys of an installation, where it made them itself. */
const KEY_FILES = ['master.key', 'admin.key'] as const;
const UNFINISHED = '.unfinished-';

const byText = (one: string, other: string): number => (one < other ? -1 : 1);

/** What is backed up, where to, and with what. */
export interface BackupAsked {
  readonly config: Pick<Config, 'DATA_DIR' | 'ERASURES_FILE'>;
  /** The folder that holds the backups, one below the other by their instants. */
  readonly to: string;
  readonly withKeys: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Hears what is done next. */
  readonly tell: (line: string) => void;
}

/** A backup that stands. */
export interface BackupMade {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** What lies in a folder; nothing in one that is not there yet. */
const namesIn = (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });

/** The whole backups in a folder, oldest first. @throws BackupUnusable for a folder that holds anything else */
async function backupsIn(folder: string): Promise<readonly string[]> {
  const whole: string[] = [];
  for (const name of (await namesIn(folder)).toSorted(byText)) {
    if (name.startsWith(UNFINISHED)) continue;
    if ((await readManifest(join(folder, name))) === null)
      throw new BackupUnusable(`${folder} holds ${name}, which is no backup: name an empty folder, or one of backups`);
    whole.push(join(folder, name));
  }
  return whole;
}

/**
 * Backs a data folder up beside its running program: first the log, then the vault, which has the keys of everything in that log, then the files that
 * the log names. Made under another name and given its own when it is whole. @throws BackupUnusable, StoreDamaged, StoreAway, DiskFull
 */
export async function makeBackup(asked: BackupAsked): Promise<BackupMade> {
  if (!existsSync(join(asked.config.DATA_DIR, LOG))) throw new BackupUnusable(`${asked.config.DATA_DIR} holds no data`);
  const before = (await backupsIn(asked.to)).at(-1) ?? null;
  await removeUnfinished(asked.to);
  const at = asked.clock();
  const name = new Date(at).toISOString().replaceAll(':', '-');
  const unfinished = join(asked.to, `${UNFINISHED}${name}`);
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  try {
    const manifest = await fill(unfinished, before, { ...asked, clock: () => at });
    const folder = join(asked.to, name);
    await rename(unfinished, folder);
    await syncFolder(asked.to);
    return { folder, manifest };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** What a backup that was cut off left. */
async function removeUnfinished(folder: string): Promise<void> {
  const unfinished = (await namesIn(folder)).filter((name) => name.startsWith(UNFINISHED));
  for (const name of unfinished) await rm(join(folder, name), { recursive: true, force: true });
}

async function fill(folder: string, before: string | null, asked: BackupAsked): Promise<Manifest> {
  const { DATA_DIR } = asked.config;
  const [log, vault] = [join(folder, LOG), join(folder, VAULT)];
  // A damaged write-ahead log is seen by its own check alone; a running program made it at its start.
  ifFree(join(DATA_DIR, LOG), () => [LOG, VAULT].forEach((name) => checkWalOf(join(DATA_DIR, name))));
  const erasures = await (await ErasureList.open(erasuresFileOf(asked.config))).state();
  const reactors = reactorPositionsIn(join(DATA_DIR, VAULT));
  asked.tell('copying the log');
  copyLog(join(DATA_DIR, LOG), log);
  asked.signal.throwIfAborted();
  asked.tell('copying the vault');
  copyDatabase(join(DATA_DIR, VAULT), vault);
  asked.tell('copying the files');
  await mkdir(join(folder, BLOBS));
  const files = await copyFilesInto(folder, { blobs: join(DATA_DIR, BLOBS), before, signal: asked.signal });
  const keys = asked.withKeys && (await copyKeys(DATA_DIR, folder));
  asked.tell('verifying what was copied');
  const end = verifyLogFile(log);
  verifyVaultFile(vault);
  const sums = { log: { ...(await sumOfFile(log)), ...end }, vault: await sumOfFile(vault), files: await sumOfFiles(folder, files) };
  const manifest: Manifest = { kind: 'roughmix backup', format: FORMAT, at: asked.clock(), ...sums, reactors, erasures, keys };
  await writeManifest(folder, manifest);
  await syncTree(folder);
  return manifest;
}

async function sumOfFiles(folder: string, files: readonly FileEntry[]): Promise<Manifest['files']> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return { ...(await sumOfFile(join(folder, FILES))), count: files.length, bytes };
}

/** The keys that lie in the data folder; those of the environment are kept where it is. */
async function copyKeys(dataDir: string, folder: string): Promise<boolean> {
  await mkdir(join(folder, KEYS), { mode: 0o700 });
  const there = KEY_FILES.filter((name) => existsSync(join(dataDir, name)));
  for (const name of there) await copyFile(join(dataDir, name), join(folder, KEYS, name));
  return there.length > 0;
}

async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const handle = await open(join(folder, MANIFEST), 'wx', 0o600);
  try {
    await handle.write(`${JSON.stringify(manifest, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The backup that a path names: itself, or the newest of a folder of backups. @throws BackupUnusable when there is none */
export async function backupAt(path: string): Promise<{ readonly folder: string; readonly manifest: Manifest }> {
  const own = await readManifest(path);
  if (own !== null) return { folder: path, manifest: own };
  if (basename(path).startsWith(UNFINISHED)) throw new BackupUnusable(`${path} was cut off before it was whole`);
  const newest = (await backupsIn(path)).at(-1);
  const manifest = newest === undefined ? null : await readManifest(newest);
  if (newest === undefined || manifest === null) throw new BackupUnusable(`${path} holds no backup`);
  return { folder: newest, manifest };
}
