// A disk that fails on request: a small preloaded library, controlled through a shared file.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('../preload/faulty-disk.c', import.meta.url));

/** The files that can fail, one bit each. */
export const FILES = { log: 1, vault: 2, read: 4, blobs: 8, indexes: 16 };
export const ALL_FILES = Object.values(FILES).reduce((sum, bit) => sum | bit, 0);

export class FaultyDisk {
  #control;

  /** @param {(reason: string) => never} skip called if the library cannot be built here */
  constructor(folder, skip) {
    if (process.platform !== 'linux') skip('failing files needs LD_PRELOAD, which only Linux has');
    this.preload = join(folder, 'faulty-disk.so');
    const built = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', this.preload, SOURCE, '-ldl'], { encoding: 'utf8' });
    if (built.error) skip('there is no C compiler (cc)');
    if (built.status !== 0) throw new Error(`faulty-disk.c does not build: ${built.stderr}`);
    const path = join(folder, 'faulty-disk.control');
    writeFileSync(path, Buffer.alloc(16));
    this.#control = openSync(path, 'r+');
    this.env = { FAULTY_DISK: path };
  }

  /** Makes syncs of these files fail. */
  failSyncs(files) {
    this.#set(0, files);
  }

  /** Makes writes to these files fail as on a full disk; with `part`, partial writes may succeed. */
  fill(files, { part = false } = {}) {
    this.#set(2, part ? 1 : 0);
    this.#set(1, files);
  }

  heal() {
    this.#set(0, 0);
    this.#set(1, 0);
  }

  /** Number of failed calls so far. */
  get failed() {
    const counts = Buffer.alloc(8);
    readSync(this.#control, counts, 0, 8, 8);
    return { syncs: counts.readUInt32LE(0), writes: counts.readUInt32LE(4) };
  }

  close() {
    closeSync(this.#control);
  }

  #set(at, value) {
    writeSync(this.#control, Buffer.from([value]), 0, 1, at);
  }
}
