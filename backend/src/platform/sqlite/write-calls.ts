import type { CarriedError } from './sqlite-errors.js';

/** What a writing thread can do: each operation takes one request and gives one answer, both fit for structured cloning. */
export type Operations<Ops> = { readonly [Kind in keyof Ops]: (request: never) => unknown };

/** One operation asked for. */
export interface WriteCall {
  readonly kind: string;
  readonly request: unknown;
}

/** What became of one call. */
export type WriteOutcome = { readonly answer: unknown } | { readonly error: CarriedError };

/** What the writing thread hears: which file to open, groups of calls, and that it shall close it; then it may be told of another one. */
export type ToWriter = { readonly open: string } | readonly WriteCall[] | 'close';

/** What the writing thread says: once when it has opened (or could not), then an outcome per call of a group, in order, and at last that it has closed. */
export type WriterMessage =
  | { readonly opened: true; readonly dropped: string | null }
  | { readonly opened: false; readonly error: CarriedError }
  | { readonly outcomes: readonly WriteOutcome[] }
  | 'closed';
