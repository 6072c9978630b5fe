import { createHash } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Config } from '../config/config.js';
import { syncFolder, systemCode } from '../durable-file.js';

/** Somebody who was erased, and when that was asked. */
export interface Erasure {
  readonly uid: Uid;
  readonly at: Instant;
}

/** How far a list had come: its whole lines, and the SHA-256 (hex) of their octets. */
export interface ErasureListState {
  readonly count: number;
  readonly sha256: string;
}

/** Where erasures are noted: ERASURES_FILE, else beside the data folder. */
export const erasuresFileOf = (config: Pick<Config, 'ERASURES_FILE' | 'DATA_DIR'>): string => config.ERASURES_FILE ?? `${config.DATA_DIR}.erasures.ndjson`;

const NEWLINE = 10;

/**
 * Who was erased, a line of JSON each (`erasures.ndjson`). It lies outside the data and outside every backup: backups still hold the keys of people
 * who were erased later, and a restore destroys those by this list.
 */
export class ErasureList {
  private constructor(readonly file: string) {}

  /** Makes an empty list where there is none: a missing one is then known to be lost. @throws Error when it cannot be written */
  static async open(file: string): Promise<ErasureList> {
    await mkdir(dirname(file), { recursive: true });
    const handle = await open(file, 'a', 0o600);
    await handle.close();
    await syncFolder(dirname(file));
    return new ErasureList(file);
  }

  /** The list that is there. @throws Error when there is none */
  static async existing(file: string): Promise<ErasureList> {
    const list = new ErasureList(file);
    await list.bytes();
    return list;
  }

  /** Notes an erasure; on the disk when this resolves. What a crash cut off stands on a line of its own. */
  async add(erasure: Erasure): Promise<void> {
    const isCutOff = (await this.bytes()).at(-1) !== NEWLINE && (await this.bytes()).length > 0;
    const handle = await open(this.file, 'a', 0o600);
    try {
      await handle.write(`${isCutOff ? '\n' : ''}${JSON.stringify(erasure)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Everybody noted, each once, oldest first. @throws Error for a whole line that names nobody */
  async all(): Promise<readonly Erasure[]> {
    const text = (await this.bytes()).toString('utf8');
    const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
    const once = new Map<Uid, Erasure>();
    for (const erasure of lines.flatMap((line, at) => erasureIn(line, `${this.file}:${at + 1}`))) {
      if (!once.has(erasure.uid)) once.set(erasure.uid, erasure);
    }
    return [...once.values()];
  }

  /** How far the list has come. */
  async state(): Promise<ErasureListState> {
    const bytes = await this.bytes();
    const whole = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1);
    return { count: linesIn(whole), sha256: digest(whole) };
  }

  /** Whether this list goes on from what was seen of it: false for a list of another place, or an older one. */
  async continues(seen: ErasureListState): Promise<boolean> {
    const bytes = await this.bytes();
    let end = 0;
    for (let line = 0; line < seen.count; line += 1) {
      const at = bytes.indexOf(NEWLINE, end);
      if (at === -1) return false;
      end = at + 1;
    }
    return digest(bytes.subarray(0, end)) === seen.sha256;
  }

  private async bytes(): Promise<Buffer> {
    try {
      return await readFile(this.file);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') throw new Error(`ERASURES_FILE: there is no ${this.file}`, { cause: error });
      throw error;
    }
  }
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function linesIn(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (byte === NEWLINE) count += 1;
  return count;
}

/** A line that a crash cut off is no erasure that was ever answered: nothing is taken from it. */
function erasureIn(line: string, place: string): readonly Erasure[] {
  if (line === '') return [];
  const parsed = parsedLine(line);
  if (parsed === null) return [];
  const { uid, at }: { uid?: unknown; at?: unknown } = parsed;
  if (typeof uid !== 'string' || uid === '' || typeof at !== 'number') throw new Error(`${place}: names nobody`);
  return [{ uid, at }];
}

function parsedLine(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' ? value : null;
  } catch {
    // Cut off by a crash, before the erasure had begun.
    return null;
  }
}
