import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { NewEvent, StoredEvent } from '../../kernel/event.js';
import { ServiceUnavailable, StoreDamaged } from '../store-errors.js';
import { assertPage } from './assert-page.js';
import { type Database, rowOf, rowsOf } from './log-file.js';
import { IN_STREAM_FROM, STREAM_OF_RUN } from './log-runs.js';
import { storeErrorOf } from '../sqlite/sqlite-errors.js';

/** An event's row in column order. Arrays are read 25% faster than objects. */
type Row = readonly [position: Position, stream: string, revision: number, body: string];

const ROWS = `SELECT position, ${STREAM_OF_RUN} AS stream, revision, body FROM events JOIN streams USING (sid)`;

/** Reads pages of the log on a read-only connection, which sees only durable rows. */
export class LogReader {
  readonly #db: Database;
  readonly #file: string;
  readonly #all;
  readonly #stream;
  readonly #newest;
  readonly #head;

  constructor(db: Database, file: string) {
    this.#db = db;
    this.#file = file;
    this.#all = eventsOf(db, `${ROWS} WHERE position > ? ORDER BY position LIMIT ?`);
    this.#stream = eventsOf(
      db,
      `SELECT position, ?1 AS stream, revision, body FROM streams CROSS JOIN events USING (sid) WHERE ${IN_STREAM_FROM} AND revision >= ?2 ORDER BY name, revision LIMIT ?3`,
    );
    this.#newest = eventsOf(db, `${ROWS} ORDER BY position DESC LIMIT ?`);
    this.#head = db.prepare('SELECT max(position) AS position FROM events');
  }

  /** One page of the whole log after a position. */
  all(after: Position, limit: number): StoredEvent[] {
    assertPage(after, limit);
    return this.#read(() => rowsOf<Row>(this.#all, after, limit).map(toEvent));
  }

  /** One page of a stream from a revision on. */
  stream(stream: string, from: number, limit: number): StoredEvent[] {
    assertPage(from, limit);
    return this.#read(() => rowsOf<Row>(this.#stream, stream, from, limit).map(toEvent));
  }

  /** The newest events, oldest first. */
  newest(limit: number): StoredEvent[] {
    assertPage(0, limit);
    return this.#read(() => rowsOf<Row>(this.#newest, limit).map(toEvent).toReversed());
  }

  /** The newest position, 0 in an empty log. */
  head(): Position {
    return this.#read(() => {
      return rowOf<{ position: Position | null }>(this.#head)?.position ?? 0;
    });
  }

  close(): void {
    this.#db.close();
  }

  #read<T>(query: () => T): T {
    if (!this.#db.isOpen) throw new ServiceUnavailable('the log is closed');
    try {
      return query();
    } catch (error) {
      if (error instanceof SyntaxError) throw new StoreDamaged(`a row of ${this.#file} is not JSON`, this.#file, 0);
      throw storeErrorOf(error, this.#file);
    }
  }
}

function eventsOf(db: Database, sql: string): ReturnType<Database['prepare']> {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

function toEvent([position, stream, revision, body]: Row): StoredEvent {
  // Fields are listed one by one because spreading a parsed object takes longer than parsing it.
  const { id, type, data, meta } = JSON.parse(body) as NewEvent;
  return { id, type, data, meta, stream, revision, position };
}
