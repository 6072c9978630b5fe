import type { EncodedEvent } from './check-append.js';
import { sumOf } from './log-chain.js';
import { cutWal, type Mark, newestRow, openForWriting, rowOf, rowsOf } from './log-file.js';
import { faultOf, messageOf } from './sqlite-errors.js';
import { StreamCache, type StreamState } from './stream-cache.js';
import type { AppendItem, AppendOutcome, WriterSetup } from './writer-messages.js';

const VERIFIED_EVERY = 16_384;
const REMEMBERED_IDS = 10_000;

/** Writes groups of appends, each group in one transaction. Lives in a thread of its own, because a commit waits for the disk. */
export class LogWriter {
  readonly #file: string;
  readonly #streams = new StreamCache();
  /** First event id of recent appends at 'any', to the revision it got: a repeat is known though others wrote in between. */
  readonly #recent = new Map<string, number>();
  #connection: Connection | null;
  #tailUnclean = false;
  #group: AppendItem[] = [];
  #outcomes: AppendOutcome[] = [];
  #failure: { readonly error: unknown } | null = null;

  constructor({ file, verified }: WriterSetup) {
    this.#file = file;
    this.#connection = connect(file);
    this.#connection.mark(verified);
  }

  /** Adds appends to the transaction that {@link commit} ends. What fails is told there. */
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

  /** One outcome for each append added, in order; nothing is answered 'done' that is not on disk. */
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

  close(): void {
    this.#connection?.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#connection?.db.close();
    this.#connection = null;
  }

  #begin(): Connection {
    const log = (this.#connection ??= connect(this.#file));
    if (log.db.isTransaction) return log;
    if (this.#tailUnclean) cutWal(log.db, this.#file);
    this.#tailUnclean = false;
    log.begin.run();
    return log;
  }

  #end(): void {
    const log = this.#begin();
    if (log.head.position - log.verified >= VERIFIED_EVERY) log.mark(log.head);
    log.commit.run();
  }

  #appendOne(log: Connection, { stream, expected, events }: AppendItem): AppendOutcome {
    if (events.length === 0) return probe(log);
    const state = this.#streams.get(stream) ?? this.#loadStream(log, stream);
    const repeated = this.#repeat(log, state, { stream, expected, events });
    if (repeated !== null) return repeated;
    if (expected !== 'any' && state.revision !== (expected === 'none' ? -1 : expected)) return { kind: 'conflict', actual: state.revision };
    if (state.sid === null) state.sid = addStream(log, stream);
    if (expected === 'any') this.#remember(events, state.revision + 1);
    for (const { id, json } of events) {
      state.lastId = id;
      const row = { position: log.head.position + 1, stream, revision: ++state.revision, body: json };
      log.head = { position: row.position, sum: sumOf(log.head.sum, row) };
      log.insert.run(row.position, state.sid, row.revision, log.head.sum, json);
    }
    return { kind: 'done', revision: state.revision, position: log.head.position };
  }

  #loadStream(log: Connection, stream: string): StreamState {
    const row = rowOf<{ sid: number; revision: number; lastId: string }>(log.stream, stream);
    const state = row ?? { sid: null, revision: -1, lastId: null };
    this.#streams.set(stream, state);
    return state;
  }

  /** The first answer, when these very events are there already where this append would have put them. */
  #repeat(log: Connection, state: StreamState, { expected, events }: AppendItem): AppendOutcome | null {
    const start = this.#startOf(state, expected, events);
    const last = start + events.length - 1;
    if (state.sid === null || start < 0 || last > state.revision) return null;
    const rows = rowsOf<{ id: string; position: number }>(log.ids, state.sid, start, last);
    if (rows.length !== events.length || !rows.every((row, i) => row.id === events[i]?.id)) return null;
    return { kind: 'done', revision: last, position: rows.at(-1)?.position ?? 0 };
  }

  /** At which revision a repeat of these events would begin; -1 when this can be none. */
  #startOf(state: StreamState, expected: AppendItem['expected'], events: readonly EncodedEvent[]): number {
    if (expected === 'none') return 0;
    if (expected !== 'any') return expected + 1;
    const remembered = this.#recent.get(events[0]?.id ?? '');
    if (remembered !== undefined) return remembered;
    return state.lastId === events.at(-1)?.id ? state.revision - events.length + 1 : -1;
  }

  #remember(events: readonly EncodedEvent[], revision: number): void {
    const [first] = events;
    if (first) this.#recent.set(first.id, revision);
    const oldest = this.#recent.keys().next();
    if (this.#recent.size > REMEMBERED_IDS && !oldest.done) this.#recent.delete(oldest.value);
  }

  /** After a failure nothing in memory is believed; one bad item is found by writing each by itself. */
  #recover(error: unknown, items: readonly AppendItem[]): AppendOutcome[] {
    this.#streams.clear();
    this.#recent.clear();
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
      // The caller opens the file anew, which tells more than this error could.
      return false;
    }
  }

  #disconnect(): void {
    const log = this.#connection;
    this.#connection = null;
    try {
      log?.db.close();
    } catch {
      // Opening anew decides what is there; a connection that cannot even be closed has nothing to add.
    }
  }
}

type Connection = ReturnType<typeof connect>;

function connect(file: string) {
  const db = openForWriting(file);
  const fact = db.prepare('INSERT INTO facts VALUES(?, ?) ON CONFLICT(name) DO UPDATE SET value = excluded.value');
  const connection = {
    db,
    head: newestRow(db),
    verified: 0,
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    fact,
    insert: db.prepare('INSERT INTO events VALUES(?, ?, ?, ?, ?)'),
    addStream: db.prepare('INSERT INTO streams(name) VALUES(?)'),
    stream: db.prepare(
      'SELECT sid, revision, substr(body, 8, 36) AS lastId FROM streams JOIN events USING (sid) WHERE name = ? ORDER BY revision DESC LIMIT 1',
    ),
    ids: db.prepare('SELECT substr(body, 8, 36) AS id, position FROM events WHERE sid = ? AND revision BETWEEN ? AND ? ORDER BY revision'),
    mark({ position, sum }: Mark): void {
      fact.run('verified', `${position} ${sum}`);
      connection.verified = position;
    },
  };
  return connection;
}

function addStream(log: Connection, stream: string): number {
  return Number(log.addStream.run(stream).lastInsertRowid);
}

function probe(log: Connection): AppendOutcome {
  log.fact.run('checked', new Date().toISOString());
  return { kind: 'done', revision: -1, position: log.head.position };
}
