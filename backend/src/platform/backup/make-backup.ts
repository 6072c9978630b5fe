import { existsSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '../clock.js';
import type { Config } from '../config/config.js';
import { syncFolder, systemCode } from '../durable-file.js';
import { ErasureList, erasuresFileOf } from '../personal-data/erasure-list.js';
import { copyLog, ifFree, verifyLogFile } from '../event-store/log-copy.js';
import { copyDatabase } from '../sqlite/copy-database.js';
import { checkWalOf } from '../sqlite/wal-file.js';
import { refuseRotationIn } from '../moving/unfinished-work.js';
import { opensWith, reactorPositionsIn, verifyVaultFile } from '../vault/vault-copy.js';
import { copyFilesInto, type FileEntry, syncTree } from './backup-files.js';
import { BackupUnusable, BLOBS, digestOf, FILES, FORMAT, KEY_FILES, KEYS, LOG, MANIFEST, type Manifest, readManifest, VAULT } from './backup-manifest.js';

const UNFINISHED = '.unfinished-';

const byText = (one: string, other: string): number => (one < other ? -1 : 1);

/** What to back up and where to. */
export interface BackupOptions {
  readonly config: Pick<Config, 'DATA_DIR' | 'ERASURES_FILE'>;
  /** The folder of all backups; each is a subfolder named by its time. */
  readonly to: string;
  readonly withKeys: boolean;
  /** How many backups to keep, this one included; older ones are removed once it is complete. Null keeps all. */
  readonly keep: number | null;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Receives a progress line before each step. */
  readonly report: (line: string) => void;
}

/** A finished backup. */
export interface Backup {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** What {@link makeBackup} made, and the folders that it removed. */
export interface MadeBackup extends Backup {
  readonly removed: readonly string[];
}

/** The entries of a folder; none if it does not exist yet. */
const namesIn = (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });

/** The finished backups in a folder, oldest first. @throws BackupUnusable if it contains anything else */
async function backupsIn(folder: string): Promise<readonly string[]> {
  const finished: string[] = [];
  for (const name of (await namesIn(folder)).toSorted(byText)) {
    if (name.startsWith(UNFINISHED)) continue;
    if ((await readManifest(join(folder, name))) === null)
      throw new BackupUnusable(`${folder} contains ${name}, which is not a backup: choose an empty folder or a folder of backups`);
    finished.push(join(folder, name));
  }
  return finished;
}

/**
 * Backs up a data folder, even while its program is running: first the log, then the vault, so that it has the keys of everything in the copied log, then the
 * files. The folder gets its final name when it is complete, and only then older backups are removed. @throws BackupUnusable, StoreDamaged, ServiceUnavailable, DiskFull
 */
export async function makeBackup(options: BackupOptions): Promise<MadeBackup> {
  if (!existsSync(join(options.config.DATA_DIR, LOG))) throw new BackupUnusable(`${options.config.DATA_DIR} contains no data`);
  const previous = (await backupsIn(options.to)).at(-1) ?? null;
  await removeUnfinished(options.to);
  const at = options.clock();
  const name = new Date(at).toISOString().replaceAll(':', '-');
  const unfinished = join(options.to, `${UNFINISHED}${name}`);
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  try {
    const manifest = await fill(unfinished, previous, { ...options, clock: () => at });
    const folder = join(options.to, name);
    await rename(unfinished, folder);
    await syncFolder(options.to);
    return { folder, manifest, removed: await removeOlder(options) };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** Renames each backup first, so that none is left half removed under its name. Hard links keep the files that newer backups share. */
async function removeOlder({ to, keep }: Pick<BackupOptions, 'to' | 'keep'>): Promise<readonly string[]> {
  const older = keep === null ? [] : (await backupsIn(to)).slice(0, -keep);
  for (const folder of older) {
    const unfinished = join(to, `${UNFINISHED}${basename(folder)}`);
    await rename(folder, unfinished);
    await rm(unfinished, { recursive: true });
  }
  return older;
}

/** Removes the remains of interrupted backups. */
async function removeUnfinished(folder: string): Promise<void> {
  const unfinished = (await namesIn(folder)).filter((name) => name.startsWith(UNFINISHED));
  for (const name of unfinished) await rm(join(folder, name), { recursive: true, force: true });
}

async function fill(folder: string, previous: string | null, options: BackupOptions): Promise<Manifest> {
  const { DATA_DIR } = options.config;
  const [log, vault] = [join(folder, LOG), join(folder, VAULT)];
  // Only this check detects a damaged write-ahead log. A running program has done it at its start.
  ifFree(join(DATA_DIR, LOG), () => [LOG, VAULT].forEach((name) => checkWalOf(join(DATA_DIR, name))));
  const erasures = await (await ErasureList.open(erasuresFileOf(options.config))).state();
  const reactors = reactorPositionsIn(join(DATA_DIR, VAULT));
  options.report('copying the log');
  copyLog(join(DATA_DIR, LOG), log);
  options.signal.throwIfAborted();
  options.report('copying the vault');
  copyDatabase(join(DATA_DIR, VAULT), vault);
  await refuseRotationIn(vault);
  options.report('copying the files');
  await mkdir(join(folder, BLOBS));
  const files = await copyFilesInto(folder, { blobs: join(DATA_DIR, BLOBS), previous, signal: options.signal });
  const keys = options.withKeys && (await copyKeys(DATA_DIR, folder));
  if (keys) await refuseOtherKey(folder);
  options.report('verifying the copies');
  const end = verifyLogFile(log);
  verifyVaultFile(vault);
  const digests = { log: { ...(await digestOf(log)), ...end }, vault: await digestOf(vault), files: await digestOfFiles(folder, files) };
  const manifest: Manifest = { kind: 'roughmix backup', format: FORMAT, at: options.clock(), ...digests, reactors, erasures, keys };
  await writeManifest(folder, manifest);
  await syncTree(folder);
  return manifest;
}

async function digestOfFiles(folder: string, files: readonly FileEntry[]): Promise<Manifest['files']> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return { ...(await digestOf(join(folder, FILES))), count: files.length, bytes };
}

/** Copies the keys of the data folder; keys from the environment are not part of a backup. @returns whether there were any */
async function copyKeys(dataDir: string, folder: string): Promise<boolean> {
  await mkdir(join(folder, KEYS), { mode: 0o700 });
  const found = KEY_FILES.filter((name) => existsSync(join(dataDir, name)));
  for (const name of found) await copyFile(join(dataDir, name), join(folder, KEYS, name));
  return found.length > 0;
}

/** The master key may have been rotated after the vault was copied. @throws BackupUnusable */
async function refuseOtherKey(folder: string): Promise<void> {
  const file = join(folder, KEYS, 'master.key');
  if (existsSync(file) && !opensWith(join(folder, VAULT), (await readFile(file, 'utf8')).trim()))
    throw new BackupUnusable('master.key in the data folder does not open its vault; run the backup again');
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

/** The backup at a path, or the newest one in a folder of backups. @throws BackupUnusable when there is none */
export async function backupAt(path: string): Promise<Backup> {
  const own = await readManifest(path);
  if (own !== null) return { folder: path, manifest: own };
  if (basename(path).startsWith(UNFINISHED)) throw new BackupUnusable(`${path} is an unfinished backup`);
  const newest = (await backupsIn(path)).at(-1);
  const manifest = newest === undefined ? null : await readManifest(newest);
  if (newest === undefined || manifest === null) throw new BackupUnusable(`${path} contains no backup`);
  return { folder: newest, manifest };
}
