import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { ExpectedRevision } from './event-store.js';
import type { EncodedEvent } from './check-append.js';
import type { Mark } from './log-file.js';

/** What the writer thread needs to open the log. */
export interface WriterSetup {
  readonly file: string;
  /** A descriptor of the log file that remains open as long as the log does. */
  readonly descriptor: number;
  /** The last verified row. */
  readonly verified: Mark;
  /** The newest acknowledged position, 0 at startup. */
  readonly acknowledged: Position;
}

/** One append. Without events it is a probe: it writes and syncs but leaves the log unchanged. */
export interface AppendItem {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EncodedEvent[];
}

/** The outcome of one append. `failed`: it may or may not be stored; repeating the same append settles it. */
export type AppendOutcome =
  | { readonly kind: 'done'; readonly revision: number; readonly position: Position }
  | { readonly kind: 'conflict'; readonly actual: number }
  | { readonly kind: 'full' }
  | { readonly kind: 'failed'; readonly message: string };

/** Messages to the writer thread: open a log, a piece of a group (its last piece commits the whole group), or close. */
export type ToWriter =
  | { readonly kind: 'open'; readonly setup: WriterSetup }
  | { readonly kind: 'append'; readonly items: readonly AppendItem[]; readonly last: boolean }
  | { readonly kind: 'close' };

/** Messages from the writer thread. `damage` is the offset in a damaged file; outcomes are in the order of the group's items. */
export type FromWriter =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unusable'; readonly message: string; readonly errcode: number | null; readonly damage: number | null }
  | { readonly kind: 'appended'; readonly outcomes: readonly AppendOutcome[] }
  | { readonly kind: 'closed' };
