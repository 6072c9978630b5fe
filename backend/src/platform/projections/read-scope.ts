import { AsyncLocalStorage } from 'node:async_hooks';
import type { Position } from '@roughmix/contracts/shared/ids.js';

/** A document that an answer was made from, as it was read; null where there was none. */
export type SeenDocument = readonly [collection: string, id: string, body: object | null];

/** The documents read while an answer is made. */
export class ReadRecord {
  readonly seen: SeenDocument[] = [];
  /** False after a search: the documents read do not show what the same search would find later. */
  isComplete = true;
}

/** What reads wait for while some work runs, and where they are recorded. */
export interface ReadScope {
  readonly parent: ReadScope | null;
  /** Every read model must have reached this position before it is read. Grows with the writes of the work itself. */
  position: Position;
  /** The stream that the work wrote last. Its answer must not use read models that have parked this stream. */
  stream: string | null;
  /** A later position that reads wait for as well, but only until `deadline` (a time of `performance.now()`). */
  readonly wanted: { readonly position: Position; readonly deadline: number } | null;
  readonly record: ReadRecord | null;
}

/** Up to Node 22, every await becomes slower once a process has opened a scope, so work that need not wait opens none. */
const scopes = new AsyncLocalStorage<ReadScope>();
const OUTSIDE: ReadScope = { parent: null, position: 0, stream: null, wanted: null, record: null };

/** The scope that surrounds this call, if any. */
export const currentScope = (): ReadScope | undefined => scopes.getStore();

/** Runs work in a scope within the one that surrounds this call. */
export function inScope<Result>(scope: Partial<Pick<ReadScope, 'position' | 'stream' | 'wanted' | 'record'>>, work: () => Result): Result {
  const parent = scopes.getStore() ?? null;
  const { position, stream, wanted, record } = parent ?? OUTSIDE;
  return scopes.run({ parent, stream, wanted, record, ...scope, position: Math.max(position, scope.position ?? 0) }, work);
}

/** Makes later reads in the surrounding scopes wait for a write. Does nothing outside of a scope. */
export function recordWrite(stream: string, position: Position): void {
  for (let scope = scopes.getStore() ?? null; scope !== null; scope = scope.parent) {
    scope.position = Math.max(scope.position, position);
    scope.stream = stream;
  }
}
