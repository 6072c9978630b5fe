import { chmod, lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from './durable-file.js';

interface Warnings {
  warn(facts: object, message: string): void;
}

/** What a mode grants the group and all others of the machine. */
const OTHERS = 0o077;

/**
 * Makes a data folder, and each file and folder in it, accessible to its owner only, and logs each change: earlier versions, or the user who created the folder, may have
 * left it readable for all users of the machine. Files further down need no change: nobody can reach them through a closed folder. Symbolic links
 * in the folder are left alone, as they may lead to files that others are meant to read; the folder itself may be one.
 */
export async function tightenModes(dataDir: string, log: Warnings): Promise<void> {
  await tighten(await realpath(dataDir), log);
  for (const name of await readdir(dataDir)) await tighten(join(dataDir, name), log);
}

async function tighten(path: string, log: Warnings): Promise<void> {
  try {
    const stats = await lstat(path);
    const mode = stats.mode & 0o777;
    if (stats.isSymbolicLink() || (mode & OTHERS) === 0) return;
    await chmod(path, mode & ~OTHERS);
    log.warn({ path, mode: mode.toString(8) }, 'other users of this machine could access this path: its mode was changed');
  } catch (error) {
    const code = systemCode(error);
    // Another process removed it, it belongs to another user, such as the root of a mounted volume, or it is mounted read-only.
    if (code === 'EPERM' || code === 'EROFS') log.warn({ path }, 'other users of this machine may access this path, and its mode cannot be changed');
    else if (code !== 'ENOENT') throw error;
  }
}
