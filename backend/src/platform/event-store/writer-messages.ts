import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { ExpectedRevision } from './event-store.js';
import type { EncodedEvent } from './check-append.js';
import type { Mark } from './log-file.js';

/** What the writer's thread opens the log with. */
export interface WriterSetup {
  readonly file: string;
  /** The log file, open in this process for as long as the log is. */
  readonly descriptor: number;
  /** The row up to which the chain was read back and verified. */
  readonly verified: Mark;
  /** The newest position that somebody was told of, 0 at a start. */
  readonly acknowledged: Position;
}

/** One append. One without events is a probe: it writes and syncs, and leaves the log as it was. */
export interface AppendItem {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EncodedEvent[];
}

/** What became of one append. `failed`: it may or may not be in the log, the same append again tells. */
export type AppendOutcome =
  | { readonly kind: 'done'; readonly revision: number; readonly position: Position }
  | { readonly kind: 'conflict'; readonly actual: number }
  | { readonly kind: 'full' }
  | { readonly kind: 'failed'; readonly message: string };

/** To the writer's thread: which log to open, a piece of a group, all of which becomes one transaction with its last piece, or the wish to close. */
export type ToWriter =
  | { readonly kind: 'open'; readonly setup: WriterSetup }
  | { readonly kind: 'append'; readonly items: readonly AppendItem[]; readonly last: boolean }
  | { readonly kind: 'close' };

/** From the writer's thread; `damage` is the offset in a damaged file, outcomes stand in the order of the group's items. */
export type FromWriter =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unusable'; readonly message: string; readonly errcode: number | null; readonly damage: number | null }
  | { readonly kind: 'appended'; readonly outcomes: readonly AppendOutcome[] }
  | { readonly kind: 'closed' };
