import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { NewEvent, StoredEvent } from '../../kernel/event.js';

/** The stream's last revision as its writer knows it, or 'none' when it must not exist yet. */
export type ExpectedRevision = number | 'none';

/** Where an append ended: the revision and position of its last event. */
export interface Appended {
  readonly revision: number;
  readonly position: Position;
}

/**
 * The log: streams of events in one global order. An append is acknowledged only when it is on disk; all its events are
 * there or none. Events come back deeply equal to what was given (`data` and `meta` are JSON).
 */
export interface EventStore {
  /** Tells two logs apart; a new one after every restore. Positions mean nothing under another identity. */
  readonly identity: string;
  /**
   * Appends in the order given. The same event ids at the same expected revision again are a success with the first answer. Appends of one process on one stream
   * take effect in the order in which they were made.
   * @throws WrongExpectedRevision when the stream is elsewhere: nothing was written
   * @throws AppendTooLarge over 256 kB of JSON in one append: nothing was written
   * @throws StoreAway when the store cannot say within the deadline: they may be there, or come to be while the stream stays where it was expected
   * @throws DiskFull when there is no room: nothing was written
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended>;
  /** One page of a stream, oldest first, from a revision on (0 when missing), at most `limit` (500). [] when there is none. */
  readStream(stream: string, options?: { readonly from?: number; readonly limit?: number }): Promise<readonly StoredEvent[]>;
  /** One page of the whole log, oldest first: what lies after a position (0: all; no event need lie there), at most `limit` (500). */
  readAll(options: { readonly after: Position; readonly limit?: number }): Promise<readonly StoredEvent[]>;
  /** The newest events of the log, oldest first, at most `limit`. [] in an empty log. */
  readNewest(limit: number): Promise<readonly StoredEvent[]>;
  /** The position of the newest durable event, 0 in an empty log. */
  head(): Promise<Position>;
  /**
   * Catches up from after a position and then follows, in pages of at most `limit` (200), until the signal aborts (then it
   * ends quietly). The next page is read only when the reader asks for it, so a slow reader costs lag and not memory.
   */
  subscribe(options: { readonly after: Position; readonly signal: AbortSignal; readonly limit?: number }): AsyncIterable<readonly StoredEvent[]>;
  /** Writes and syncs something of its own, to tell readiness. @throws DiskFull or StoreAway, as an append would */
  check(): Promise<void>;
  /** Ends when every append accepted so far is on disk and answered; later appends throw StoreAway. */
  close(): Promise<void>;
}

/** The most bytes of JSON that one append may hold, on every adapter. */
export const APPEND_LIMIT_BYTES = 256 * 1024;

/** Someone else wrote in between. `actual` is the stream's last revision, -1 when it has no event. */
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

/** The events of one append are more than {@link APPEND_LIMIT_BYTES}. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
}
