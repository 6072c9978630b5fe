import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { NewEvent, StoredEvent } from '../../kernel/event.js';
import { checkWalOf } from '../sqlite/wal-file.js';
import { StoreAway, StoreDamaged } from '../store-errors.js';
import { checkAppend } from './check-append.js';
import type { Appended, EventStore, ExpectedRevision } from './event-store.js';
import { readVerified, verifyChain } from './log-chain.js';
import { type Database, hasSchema, lockLog, type Mark, openForReading, readFact, rowOf } from './log-file.js';
import { LogReader } from './log-reader.js';
import { faultOf, storeErrorOf } from './sqlite-errors.js';
import { follow, Wakeups } from './subscription.js';
import { WriterLink } from './writer-link.js';
import { startWriter } from './writer-thread.js';

/** `deadlineMs`: how long an append may stay without an answer, 10,000 when missing. `onTrouble` hears when writing begins to fail and when it goes on. */
export interface EmbeddedOptions {
  readonly file: string;
  readonly deadlineMs?: number;
  readonly onTrouble?: (message: string) => void;
}

/** What the start found. */
export interface LogOpened {
  /** Bytes of an unfinished write that were dropped: nobody had been told of them. */
  readonly droppedBytes: number;
  /** Bytes at the end that had been synced and are gone: the file was cut off by something else than this program. */
  readonly missingBytes: number;
  /** How many rows' checksums were verified at this start. */
  readonly verifiedRows: number;
}

interface Parts {
  readonly file: string;
  readonly lock: Database;
  readonly reader: LogReader;
  readonly writer: WriterLink;
  readonly wakeups: Wakeups;
  /** Stays open as long as the connections: closing it would drop the locks that SQLite holds on the file. */
  readonly descriptor: number;
}

const DEADLINE_MS = 10_000;

/**
 * The log in one SQLite file of this machine, for one server process: a writer thread that makes one transaction of all appends waiting,
 * and reads on the main thread.
 */
export class EmbeddedEventStore implements EventStore {
  #closing: Promise<void> | null = null;

  private constructor(
    readonly identity: string,
    readonly opened: LogOpened,
    private readonly parts: Parts,
  ) {}

  /**
   * Checks the write-ahead log and the rows behind the last verified one before anything is written, then opens.
   * @throws StoreDamaged with file and offset, everything left as it is; StoreAway when another process has the log open
   */
  static async open({ file, deadlineMs = DEADLINE_MS, onTrouble = () => undefined }: EmbeddedOptions): Promise<EmbeddedEventStore> {
    mkdirSync(dirname(file), { recursive: true });
    const lock = takeLock(file);
    const undo: (() => void)[] = [() => lock.close()];
    try {
      const walEnd = checkWalOf(file);
      const descriptor = openSync(file, 'a+', 0o600);
      undo.push(() => closeSync(descriptor));
      const { verified, rows } = verifyNewRows(file, descriptor);
      syncFolderOf(file);
      const wakeups = new Wakeups();
      const start = async (acknowledged: Position) =>
        startWriter({ file, descriptor, acknowledged, verified: acknowledged === 0 ? verified : verifyNewRows(file, descriptor).verified });
      const writer = await WriterLink.open({ start, deadlineMs, onTrouble, onCommit: () => wakeups.wake() });
      undo.unshift(() => void writer.close(() => undefined));
      const db = openForReading(file);
      const reader = new LogReader(db, file);
      const identity = readFact(db, 'identity') ?? '';
      return new EmbeddedEventStore(identity, { ...walEnd, verifiedRows: rows }, { file, lock, reader, writer, wakeups, descriptor });
    } catch (error) {
      for (const step of undo) step();
      throw storeErrorOf(error, file);
    }
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> {
    return this.parts.writer.append({ stream, expected, events: checkAppend(stream, expected, events) });
  }

  async readStream(stream: string, { from = 0, limit = 500 }: { from?: number; limit?: number } = {}): Promise<readonly StoredEvent[]> {
    return this.parts.reader.stream(stream, from, limit);
  }

  async readAll({ after, limit = 500 }: { after: Position; limit?: number }): Promise<readonly StoredEvent[]> {
    return this.parts.reader.all(after, limit);
  }

  async head(): Promise<Position> {
    return this.parts.reader.head();
  }

  subscribe({ after, signal, limit = 200 }: { after: Position; signal: AbortSignal; limit?: number }): AsyncIterable<readonly StoredEvent[]> {
    return follow({ after, signal, wakeups: this.parts.wakeups, read: (from) => this.parts.reader.all(from, limit) });
  }

  /**
   * Writes and syncs a row of its own, to tell readiness.
   * @throws DiskFull or StoreAway, as an append would
   */
  async check(): Promise<void> {
    await this.parts.writer.append({ stream: '', expected: 'any', events: [] });
  }

  /**
   * Recomputes every checksum from the first row on, letting other work go on in between, and lets SQLite look at its own pages.
   * @returns the newest position that was verified
   * @throws StoreDamaged with file and offset
   */
  async verify(): Promise<Position> {
    const { file, descriptor } = this.parts;
    const db = openForReading(file);
    try {
      let last = 0;
      for (const mark of verifyChain(db, { position: 0, sum: '' }, { file, descriptor })) {
        last = mark.position;
        await nextTurn();
      }
      const answer = rowOf<{ integrity_check: string }>(db.prepare('PRAGMA integrity_check(1)'));
      if (answer?.integrity_check !== 'ok') throw new StoreDamaged(`${file} is damaged: ${answer?.integrity_check}`, file, 0);
      return last;
    } catch (error) {
      throw storeErrorOf(error, file);
    } finally {
      db.close();
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const { reader, writer, wakeups, lock, descriptor } = this.parts;
    await writer.close(() => {
      reader.close();
      wakeups.wake();
    });
    closeSync(descriptor);
    lock.close();
  }
}

/** The log's name has to be on disk before anything in it is acknowledged. */
function syncFolderOf(file: string): void {
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function takeLock(file: string): Database {
  try {
    return lockLog(file);
  } catch (error) {
    if (faultOf(error) === 'busy') throw new StoreAway(`${file} is open in another process`, { cause: error });
    throw storeErrorOf(error, file);
  }
}

/** Runs on a connection that cannot write, so that a damaged log stays as it is. */
function verifyNewRows(file: string, descriptor: number): { verified: Mark; rows: number } {
  const empty: Mark = { position: 0, sum: '' };
  if (statSync(file).size === 0) return { verified: empty, rows: 0 };
  const db = openForReading(file);
  try {
    if (!hasSchema(db)) return { verified: empty, rows: 0 };
    const start = readVerified(db);
    let verified = start;
    for (const mark of verifyChain(db, start, { file, descriptor })) verified = mark;
    return { verified, rows: verified.position - start.position };
  } finally {
    db.close();
  }
}
