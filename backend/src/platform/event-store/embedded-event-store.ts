import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { NewEvent, StoredEvent } from '../../kernel/event.js';
import { checkWalOf } from '../sqlite/wal-file.js';
import { StoreAway } from '../store-errors.js';
import { checkAppend } from './check-append.js';
import type { Appended, EventStore, ExpectedRevision } from './event-store.js';
import { verifyChain } from './log-chain.js';
import { checkAtStart, checkBehind, checkPages } from './log-check.js';
import { type Database, lockLog, type Mark, openForReading, readFact } from './log-file.js';
import { LogReader } from './log-reader.js';
import { faultOf, messageOf, storeErrorOf } from '../sqlite/sqlite-errors.js';
import { OWN_THREADS, type WritingThreads } from '../sqlite/writing-threads.js';
import { follow, Wakeups } from './subscription.js';
import { WriterLink } from './writer-link.js';
import { startWriter } from './writer-thread.js';

/**
 * `deadlineMs`: how long an append may stay without an answer, 10,000 when missing. `wholeBytes`: up to which size a log is verified whole at each
 * start, 32 MB when missing. `onTrouble` hears when writing begins to fail and when it goes on. `threads`: where the writer's
 * thread comes from, one of its own when missing.
 */
export interface EmbeddedOptions {
  readonly file: string;
  readonly deadlineMs?: number;
  readonly wholeBytes?: number;
  readonly onTrouble?: (message: string) => void;
  readonly threads?: WritingThreads;
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
const BEHIND_PAUSE_MS = 20;
const WHOLE_BYTES = 32 * 1024 * 1024;

/**
 * The log in one SQLite file of this machine, for one server process: a writer thread that makes one transaction of all appends waiting,
 * and reads on the main thread.
 */
export class EmbeddedEventStore implements EventStore {
  readonly #ending = new AbortController();
  #closing: Promise<void> | null = null;
  #behind: Promise<void> = Promise.resolve();

  private constructor(
    readonly identity: string,
    readonly opened: LogOpened,
    private readonly parts: Parts,
  ) {}

  /**
   * Checks the write-ahead log and the rows (of a large log those behind the last verified one, the others once it runs) before anything is
   * written, then opens.
   * @throws StoreDamaged with file and offset, everything left as it is; StoreAway when another process has the log open
   */
  static async open({
    file,
    deadlineMs = DEADLINE_MS,
    wholeBytes = WHOLE_BYTES,
    onTrouble = () => undefined,
    threads = OWN_THREADS,
  }: EmbeddedOptions): Promise<EmbeddedEventStore> {
    mkdirSync(dirname(file), { recursive: true });
    const lock = takeLock(file);
    const undo: (() => void)[] = [() => lock.close()];
    try {
      const walEnd = checkWalOf(file);
      const descriptor = openSync(file, 'a+', 0o600);
      undo.push(() => closeSync(descriptor));
      const checked = checkAtStart({ file, descriptor }, wholeBytes);
      syncFolderOf(file);
      const wakeups = new Wakeups();
      const start = async (acknowledged: Position) =>
        startWriter({ file, descriptor, acknowledged, verified: acknowledged === 0 ? checked.to : checkAtStart({ file, descriptor }, 0).to }, threads);
      const writer = await WriterLink.open({ start, giveBack: (worker) => threads.giveBack(worker), deadlineMs, onTrouble, onCommit: () => wakeups.wake() });
      undo.unshift(() => void writer.close(() => undefined));
      const db = openForReading(file);
      const reader = new LogReader(db, file);
      const identity = readFact(db, 'identity') ?? '';
      const opened = { ...walEnd, verifiedRows: checked.to.position - checked.from.position };
      const store = new EmbeddedEventStore(identity, opened, { file, lock, reader, writer, wakeups, descriptor });
      store.#behind = store.#checkBehind(checked.from);
      return store;
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

  async readNewest(limit: number): Promise<readonly StoredEvent[]> {
    return this.parts.reader.newest(limit);
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
    await this.parts.writer.append({ stream: '', expected: 'none', events: [] });
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
      let last: Mark = { position: 0, sum: '' };
      for (const mark of verifyChain(db, last, { file, descriptor })) {
        last = mark;
        await nextTurn();
      }
      checkPages(db, file, last);
      return last.position;
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

  /** Damage of rows that the start left out ends writing: what is written on top of it would be lost with it. */
  async #checkBehind(end: Mark): Promise<void> {
    const { file, descriptor, writer } = this.parts;
    try {
      await checkBehind({ file, descriptor }, end, { signal: this.#ending.signal, pauseMs: BEHIND_PAUSE_MS });
    } catch (error) {
      writer.refuse(messageOf(error));
    }
  }

  async #end(): Promise<void> {
    const { reader, writer, wakeups, lock, descriptor } = this.parts;
    this.#ending.abort();
    await writer.close(() => {
      reader.close();
      wakeups.wake();
    });
    await this.#behind;
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
