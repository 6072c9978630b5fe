import { LRUCache } from 'lru-cache';
import { cutWal } from '../sqlite/wal-file.js';
import { sumOf } from './log-chain.js';
import { addRun, connectLog, type LogConnection, mark, markIfRoom, probe } from './log-connection.js';
import { newestRow, rowOf, rowsOf } from './log-file.js';
import { firstOfRun, RUN_ROWS } from './log-runs.js';
import { ReadBack } from './read-back.js';
import { faultOf, messageOf } from '../sqlite/sqlite-errors.js';
import type { AppendItem, AppendOutcome, WriterSetup } from './writer-messages.js';

const MARK_EVERY = 16_384;
const REMEMBERED_STREAMS = 10_000;

/** A stream's last run, by id and first revision (null if it has none yet), and its last revision (-1 if it is empty). */
interface StreamState {
  sid: number | null;
  first: number;
  revision: number;
}

/** Writes groups of appends, one transaction per group. Runs in its own thread because a commit waits for the disk. */
export class LogWriter {
  readonly #setup: WriterSetup;
  readonly #readBack: ReadBack;
  readonly #streams = new LRUCache<string, StreamState>({ max: REMEMBERED_STREAMS });
  #connection: LogConnection | null = null;
  /** The newest acknowledged position. */
  #acknowledged: number;
  #fresh = 0;
  #tailUnclean = false;
  #group: AppendItem[] = [];
  #outcomes: AppendOutcome[] = [];
  #failure: { readonly error: unknown } | null = null;

  constructor(setup: WriterSetup) {
    this.#setup = setup;
    this.#acknowledged = setup.acknowledged;
    this.#readBack = new ReadBack(setup, setup.verified);
    this.#connection = this.#connect();
    markIfRoom(this.#connection, this.#readBack.verified);
  }

  /** Adds appends to the transaction that {@link commit} ends, which also reports their failures. */
  add(items: readonly AppendItem[]): void {
    this.#group.push(...items);
    if (this.#failure !== null) return;
    try {
      const log = this.#begin();
      for (const item of items) this.#outcomes.push(this.#appendOne(log, item));
    } catch (error) {
      this.#failure = { error };
    }
  }

  /** One outcome per added append, in order; 'done' only for appends that are on disk. */
  commit(): AppendOutcome[] {
    const [group, outcomes] = [this.#group, this.#outcomes];
    try {
      if (this.#failure !== null) throw this.#failure.error;
      this.#end();
      return outcomes;
    } catch (error) {
      return this.#recover(error, group);
    } finally {
      this.#group = [];
      this.#outcomes = [];
      this.#failure = null;
    }
  }

  /** Reads back some of the written rows. Errors are dropped here: the next append reopens the log, verifies the same rows and reports them. */
  readBack(): void {
    if (this.#connection === null) return;
    try {
      this.#readBack.step(this.#acknowledged, this.#fresh);
    } catch {
      this.#disconnect();
    } finally {
      this.#fresh = 0;
    }
  }

  close(): void {
    this.#readBack.stop();
    try {
      this.#connection?.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Every acknowledged append is in the write-ahead log, which the next start reads.
    }
    this.#disconnect();
  }

  #connect(): LogConnection {
    const log = connectLog({ ...this.#setup, verified: this.#readBack.verified, acknowledged: this.#acknowledged });
    this.#readBack.verified = log.readBack;
    this.#acknowledged = log.head.position;
    return log;
  }

  #begin(): LogConnection {
    const log = (this.#connection ??= this.#connect());
    if (log.db.isTransaction) return log;
    if (this.#tailUnclean) cutWal(log.db, this.#setup.file);
    this.#tailUnclean = false;
    log.begin.run();
    return log;
  }

  #end(): void {
    const log = this.#begin();
    if (this.#readBack.verified.position - log.marked >= MARK_EVERY) mark(log, this.#readBack.verified);
    log.commit.run();
    this.#fresh += log.head.position - this.#acknowledged;
    this.#acknowledged = log.head.position;
  }

  #appendOne(log: LogConnection, { stream, expected, events }: AppendItem): AppendOutcome {
    if (events.length === 0) return probe(log);
    const state = this.#streams.get(stream) ?? this.#loadStream(log, stream);
    const repeated = this.#repeat(log, state, { stream, expected, events });
    if (repeated !== null) return repeated;
    if (state.revision !== revisionOf(expected)) return { kind: 'conflict', actual: state.revision };
    for (const { json } of events) {
      const row = { position: log.head.position + 1, stream, revision: ++state.revision, body: json };
      const sid = this.#runFor(log, state, row);
      log.head = { position: row.position, sum: sumOf(log.head.sum, row) };
      log.insert.run(row.position, sid, row.revision, log.head.sum, json);
    }
    return { kind: 'done', revision: state.revision, position: log.head.position };
  }

  /** The run a row belongs to: the stream's last one until it is full. */
  #runFor(log: LogConnection, state: StreamState, { stream, revision }: { readonly stream: string; readonly revision: number }): number {
    if (state.sid !== null && revision < state.first + RUN_ROWS) return state.sid;
    state.first = revision;
    return (state.sid = addRun(log, stream, revision));
  }

  #loadStream(log: LogConnection, stream: string): StreamState {
    const row = rowOf<{ sid: number; name: string; revision: number }>(log.stream, stream);
    const state: StreamState = row ? { sid: row.sid, first: firstOfRun(row.name), revision: row.revision } : { sid: null, first: 0, revision: -1 };
    this.#streams.set(stream, state);
    return state;
  }

  /** The first result, if exactly these events are already stored at the expected revision. */
  #repeat(log: LogConnection, state: StreamState, { stream, expected, events }: AppendItem): AppendOutcome | null {
    const start = revisionOf(expected) + 1;
    const last = start + events.length - 1;
    if (state.sid === null || last > state.revision) return null;
    const rows = rowsOf<{ id: string; position: number }>(log.ids, stream, start, last);
    if (rows.length !== events.length || !rows.every((row, i) => row.id === events[i]?.id)) return null;
    return { kind: 'done', revision: last, position: rows.at(-1)?.position ?? 0 };
  }

  /** After a failure in-memory state is discarded, and each item is retried alone to isolate a bad one. */
  #recover(error: unknown, items: readonly AppendItem[]): AppendOutcome[] {
    this.#streams.clear();
    this.#tailUnclean = true;
    const fault = faultOf(error);
    const message = messageOf(error);
    if (!this.#rollBack() || fault === 'broken' || fault === 'damaged') this.#disconnect();
    if (fault === 'full') return items.map(() => ({ kind: 'full' }));
    if (fault === 'item' && items.length > 1) return items.flatMap((item) => this.#alone(item));
    return items.map(() => ({ kind: 'failed', message }));
  }

  #alone(item: AppendItem): AppendOutcome[] {
    try {
      const outcome = this.#appendOne(this.#begin(), item);
      this.#end();
      return [outcome];
    } catch (error) {
      return this.#recover(error, [item]);
    }
  }

  #rollBack(): boolean {
    const log = this.#connection;
    if (log === null) return true;
    try {
      if (log.db.isTransaction) log.db.exec('ROLLBACK');
      log.head = newestRow(log.db);
      return true;
    } catch {
      // The caller reopens the file, which reports more than this error.
      return false;
    }
  }

  #disconnect(): void {
    const log = this.#connection;
    this.#connection = null;
    try {
      log?.db.close();
    } catch {
      // Reopening the file establishes its state, so an error on close is irrelevant.
    }
  }
}

/** The expected revision as a number, -1 for 'none'. */
const revisionOf = (expected: AppendItem['expected']): number => (expected === 'none' ? -1 : expected);
