import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { NewEvent, StoredEvent } from '../../kernel/event.js';
import { checkWalOf } from '../sqlite/wal-file.js';
import { ServiceUnavailable } from '../store-errors.js';
import { checkAppend } from './check-append.js';
import type { Appended, EventStore, ExpectedRevision } from './event-store.js';
import { verifyChain } from './log-chain.js';
import { checkAtStart, checkSkipped, checkPages } from './log-check.js';
import { type Database, lockLog, type Mark, openForReading, readFact } from './log-file.js';
import { LogReader } from './log-reader.js';
import { faultOf, messageOf, storeErrorOf } from '../sqlite/sqlite-errors.js';
import type { ThreadOptions } from '../sqlite/supervised-thread.js';
import { OWN_THREADS, type WritingThreads } from '../sqlite/writing-threads.js';
import { SharedPages } from './shared-pages.js';
import { follow, Wakeups } from './subscription.js';
import { WriterLink } from './writer-link.js';
import { startWriter } from './writer-thread.js';

/**
 * `deadlineMs`: timeout of an append, default 10,000. `wholeBytes`: logs up to this size are verified in full at each start, default
 * 32 MB. `onTrouble` is called when writing starts to fail and when it recovers. `threads`: source of the writer thread, a new one by
 * default. `onHopeless`: see {@link ThreadOptions}.
 */
export interface EmbeddedOptions extends Pick<ThreadOptions, 'onHopeless'> {
  readonly file: string;
  readonly deadlineMs?: number;
  readonly wholeBytes?: number;
  readonly onTrouble?: (message: string) => void;
  readonly threads?: WritingThreads;
}

/** The result of the startup check. */
export interface LogOpened {
  /** Bytes of a torn write that were dropped; it was never acknowledged. */
  readonly droppedBytes: number;
  /** Synced bytes missing at the end: something other than this program truncated the file. */
  readonly missingBytes: number;
  /** Rows verified at this start. */
  readonly verifiedRows: number;
}

interface Deps {
  readonly file: string;
  readonly lock: Database;
  readonly reader: LogReader;
  readonly writer: WriterLink;
  readonly wakeups: Wakeups;
  readonly pages: SharedPages;
  /** Must remain open as long as the connections: closing it would release SQLite's locks on the file. */
  readonly descriptor: number;
}

const DEADLINE_MS = 10_000;
const SKIPPED_PAUSE_MS = 20;
const WHOLE_BYTES = 32 * 1024 * 1024;

/**
 * The log in one local SQLite file, for a single server process. A writer thread commits all queued appends in one transaction; reads run
 * on the main thread.
 */
export class EmbeddedEventStore implements EventStore {
  readonly #stop = new AbortController();
  #closing: Promise<void> | null = null;
  #skippedCheck: Promise<void> = Promise.resolve();

  private constructor(
    readonly identity: string,
    readonly opened: LogOpened,
    private readonly deps: Deps,
  ) {}

  /**
   * Checks the write-ahead log and the rows before the first write, then opens. In a large log only rows after the last verified one are
   * checked first, the others in the background.
   * @throws StoreDamaged with file and offset, without changing anything; ServiceUnavailable when another process has the log open
   */
  static async open({
    file,
    deadlineMs = DEADLINE_MS,
    wholeBytes = WHOLE_BYTES,
    onTrouble = () => undefined,
    threads = OWN_THREADS,
    onHopeless,
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
      const giveBack: ThreadOptions['giveBack'] = (worker) => threads.giveBack(worker);
      const writer = await WriterLink.open({ start, giveBack, onHopeless, deadlineMs, onTrouble, onCommit: () => wakeups.wake() });
      undo.unshift(() => void writer.close(() => undefined));
      const db = openForReading(file);
      const reader = new LogReader(db, file);
      const pages = new SharedPages(wakeups, (after, limit) => reader.all(after, limit));
      const identity = readFact(db, 'identity') ?? '';
      const opened = { ...walEnd, verifiedRows: checked.to.position - checked.from.position };
      const store = new EmbeddedEventStore(identity, opened, { file, lock, reader, writer, wakeups, pages, descriptor });
      store.#skippedCheck = store.#checkSkipped(checked.from);
      return store;
    } catch (error) {
      for (const step of undo) step();
      throw storeErrorOf(error, file);
    }
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> {
    return this.deps.writer.append({ stream, expected, events: checkAppend(stream, expected, events) });
  }

  async readStream(stream: string, { from = 0, limit = 500 }: { from?: number; limit?: number } = {}): Promise<readonly StoredEvent[]> {
    return this.deps.reader.stream(stream, from, limit);
  }

  async readAll({ after, limit = 500 }: { after: Position; limit?: number }): Promise<readonly StoredEvent[]> {
    return this.deps.reader.all(after, limit);
  }

  async readNewest(limit: number): Promise<readonly StoredEvent[]> {
    return this.deps.reader.newest(limit);
  }

  async head(): Promise<Position> {
    return this.deps.reader.head();
  }

  confirmedHead(): Promise<Position> {
    return this.head();
  }

  subscribe({ after, signal, limit = 200 }: { after: Position; signal: AbortSignal; limit?: number }): AsyncIterable<readonly StoredEvent[]> {
    return follow({ after, signal, wakeups: this.deps.wakeups, read: (from) => this.deps.pages.page(from, limit) });
  }

  /**
   * Readiness probe: writes and syncs a separate row.
   * @throws DiskFull or ServiceUnavailable, as an append would
   */
  async check(): Promise<void> {
    await this.deps.writer.append({ stream: '', expected: 'none', events: [] });
  }

  /**
   * Recomputes every checksum, yielding to the event loop between pages, and runs SQLite's integrity check.
   * @returns the newest verified position
   * @throws StoreDamaged with file and offset
   */
  async verify(): Promise<Position> {
    const { file, descriptor } = this.deps;
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
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  /** Damage in the rows that startup skipped stops writing, because appends after it would be lost in a restore. */
  async #checkSkipped(end: Mark): Promise<void> {
    const { file, descriptor, writer } = this.deps;
    try {
      await checkSkipped({ file, descriptor }, end, { signal: this.#stop.signal, pauseMs: SKIPPED_PAUSE_MS });
    } catch (error) {
      writer.refuse(messageOf(error));
    }
  }

  async #shutDown(): Promise<void> {
    const { reader, writer, wakeups, lock, descriptor } = this.deps;
    this.#stop.abort();
    await writer.close(() => {
      reader.close();
      wakeups.wake();
    });
    await this.#skippedCheck;
    closeSync(descriptor);
    lock.close();
  }
}

/** The directory entry of a new log must be durable before anything in it is acknowledged. */
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
    if (faultOf(error) === 'busy') throw new ServiceUnavailable(`${file} is open in another process`, { cause: error });
    throw storeErrorOf(error, file);
  }
}
