import { createHash } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Config } from '../config/config.js';
import { syncFolder, systemCode } from '../durable-file.js';

/** An erased user, and when the erasure was requested. */
export interface Erasure {
  readonly uid: Uid;
  readonly at: Instant;
}

/** The state of a list at some time: its number of complete lines, and the SHA-256 (hex) of their bytes. */
export interface ErasureListState {
  readonly count: number;
  readonly sha256: string;
}

/** The path of the list: ERASURES_FILE, or else beside the data folder. */
export const erasuresFileOf = (config: Pick<Config, 'ERASURES_FILE' | 'DATA_DIR'>): string => config.ERASURES_FILE ?? `${config.DATA_DIR}.erasures.ndjson`;

const NEWLINE = 10;

/**
 * The list of erasures (`erasures.ndjson`), one line of JSON per user. It is stored outside the data and the backups: a backup still contains the keys of
 * users who were erased after it was made, and a restore uses the list to destroy them again.
 */
export class ErasureList {
  private constructor(readonly file: string) {}

  /** Creates an empty list if there is none, so that a missing list later means a lost one. @throws Error when it cannot be written */
  static async open(file: string): Promise<ErasureList> {
    await mkdir(dirname(file), { recursive: true });
    const handle = await open(file, 'a', 0o600);
    await handle.close();
    await syncFolder(dirname(file));
    return new ErasureList(file);
  }

  /** @throws Error when there is no list */
  static async existing(file: string): Promise<ErasureList> {
    const list = new ErasureList(file);
    await list.bytes();
    return list;
  }

  /** Appends an erasure, durably. Starts a new line if a crash cut off the last one. */
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

  /** The listed users, each once, oldest first. @throws Error for a complete line without a uid */
  async all(): Promise<readonly Erasure[]> {
    const text = (await this.bytes()).toString('utf8');
    const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
    const byUid = new Map<Uid, Erasure>();
    for (const erasure of lines.flatMap((line, at) => erasureIn(line, `${this.file}:${at + 1}`))) {
      if (!byUid.has(erasure.uid)) byUid.set(erasure.uid, erasure);
    }
    return [...byUid.values()];
  }

  async state(): Promise<ErasureListState> {
    const bytes = await this.bytes();
    const complete = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1);
    return { count: linesIn(complete), sha256: digest(complete) };
  }

  /** Whether this list continues from an earlier state of it: false for an unrelated list or an older copy. */
  async continues(earlier: ErasureListState): Promise<boolean> {
    const bytes = await this.bytes();
    let end = 0;
    for (let line = 0; line < earlier.count; line += 1) {
      const at = bytes.indexOf(NEWLINE, end);
      if (at === -1) return false;
      end = at + 1;
    }
    return digest(bytes.subarray(0, end)) === earlier.sha256;
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

/** None for a line that a crash cut off: that erasure had not begun. */
function erasureIn(line: string, location: string): readonly Erasure[] {
  if (line === '') return [];
  const parsed = parsedLine(line);
  if (parsed === null) return [];
  const { uid, at }: { uid?: unknown; at?: unknown } = parsed;
  if (typeof uid !== 'string' || uid === '' || typeof at !== 'number') throw new Error(`${location}: has no uid or time`);
  return [{ uid, at }];
}

function parsedLine(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' ? value : null;
  } catch {
    // Cut off by a crash.
    return null;
  }
}
