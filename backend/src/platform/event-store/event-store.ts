import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { NewEvent, StoredEvent } from '../../kernel/event.js';

/** The stream's last revision as the writer knows it, or 'none' if the stream must not exist yet. */
export type ExpectedRevision = number | 'none';

/** The revision and position of an append's last event. */
export interface Appended {
  readonly revision: number;
  readonly position: Position;
}

/**
 * The log: streams of events in one global order. An append is atomic and acknowledged only when it is on disk. Events are
 * read back deeply equal to how they were appended (`data` and `meta` are JSON).
 */
export interface EventStore {
  /** Identifies this log; every restore creates a new one. Positions are only comparable under the same identity. */
  readonly identity: string;
  /**
   * Appends in the order given. Idempotent: repeating the same event ids at the same expected revision returns the first result. Appends of one process to one
   * stream take effect in call order.
   * @throws WrongExpectedRevision when the stream is at another revision: nothing was written
   * @throws AppendTooLarge over 256 kB of JSON in one append: nothing was written
   * @throws ServiceUnavailable when the outcome is unknown at the deadline: the events may be stored now, or later while the stream is at the expected revision
   * @throws DiskFull when the disk is full: nothing was written
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended>;
  /** One page of a stream, oldest first, starting at revision `from` (default 0), at most `limit` (default 500). [] if the stream does not exist. */
  readStream(stream: string, options?: { readonly from?: number; readonly limit?: number }): Promise<readonly StoredEvent[]>;
  /** One page of the whole log, oldest first: events after a position (0: all; no event needs to have that position), at most `limit` (default 500). */
  readAll(options: { readonly after: Position; readonly limit?: number }): Promise<readonly StoredEvent[]>;
  /** The newest events of the log, oldest first, at most `limit`. [] if the log is empty. */
  readNewest(limit: number): Promise<readonly StoredEvent[]>;
  /** The position of the newest durable event, 0 if the log is empty. */
  head(): Promise<Position>;
  /**
   * The same, confirmed by a write that a leader acknowledges only with a majority of its cluster: neither a lagging server nor a deposed leader can answer.
   * @throws ServiceUnavailable when it cannot be confirmed, or the log has another identity by now
   */
  confirmedHead(): Promise<Position>;
  /**
   * Catches up from a position (exclusive), then follows the log in pages of at most `limit` (default 200). Returns when the signal
   * aborts. The next page is read only on request, so a slow reader costs lag, not memory.
   */
  subscribe(options: { readonly after: Position; readonly signal: AbortSignal; readonly limit?: number }): AsyncIterable<readonly StoredEvent[]>;
  /** Readiness probe: writes and syncs without appending an event. @throws DiskFull or ServiceUnavailable, as an append would */
  check(): Promise<void>;
  /** Resolves when every accepted append is on disk and answered; later appends throw ServiceUnavailable. */
  close(): Promise<void>;
}

/** Maximum bytes of JSON in one append, for every adapter. */
export const APPEND_LIMIT_BYTES = 256 * 1024;

/** A concurrent write won. `actual` is the stream's last revision, -1 if it has no events. */
export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    readonly actual: number,
  ) {
    super(`${stream} is at revision ${actual}, expected ${expected}`);
  }
}

/** The append exceeds {@link APPEND_LIMIT_BYTES}. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
}
