import type { CarriedError } from './sqlite-errors.js';

/** The operations of a writer thread: each takes one request and returns one answer, both structured-cloneable. */
export type Operations<Ops> = { readonly [Kind in keyof Ops]: (request: never) => unknown };

/** One requested operation. */
export interface WriteCall {
  readonly kind: string;
  readonly request: unknown;
}

/** The outcome of one call. */
export type WriteOutcome = { readonly answer: unknown } | { readonly error: CarriedError };

/**
 * Messages to the writer thread: open a file, run a group of calls, close the file. It can then open another. `isReplacement`: the thread replaces a lost
 * one, and this process reads the file.
 */
export type ToWriter = { readonly open: string; readonly isReplacement: boolean } | readonly WriteCall[] | 'close';

/** Messages from the writer thread: opened or failed, the outcomes of a group in order, and closed. */
export type WriterMessage =
  | { readonly opened: true; readonly dropped: string | null }
  | { readonly opened: false; readonly error: CarriedError }
  | { readonly outcomes: readonly WriteOutcome[] }
  | 'closed';
