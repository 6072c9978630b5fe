import { AsyncLocalStorage } from 'node:async_hooks';
import type { Position } from '@roughmix/contracts/shared/ids.js';

/** A document that an answer was made from, as it was read; null where there was none. */
export type SeenDocument = readonly [collection: string, id: string, body: object | null];

/** What is read while an answer is made. */
export class Watch {
  readonly seen: SeenDocument[] = [];
  /** False after a search, because the seen documents do not show what it would find next. */
  isWhole = true;
}

/** What reads wait for while some work runs, and where they are recorded. */
export interface ReadScope {
  readonly parent: ReadScope | null;
  /** Every read model must hold this position before it is read. Rises with what the work itself writes. */
  position: Position;
  /** The stream that the work wrote last. Its answer must not use read models that have parked this stream. */
  stream: string | null;
  /** A position that read models should hold too, if they reach it before `deadline` (by `performance.now()`). */
  readonly wanted: { readonly position: Position; readonly deadline: number } | null;
  readonly watch: Watch | null;
}

/** Until Node 22, every await is slower once a process has opened a scope, so work that need not wait opens none. */
const scopes = new AsyncLocalStorage<ReadScope>();
const OUTSIDE: ReadScope = { parent: null, position: 0, stream: null, wanted: null, watch: null };

/** The scope that surrounds this call, if any. */
export const currentScope = (): ReadScope | undefined => scopes.getStore();

/** Runs work in a scope within the one that surrounds this call. */
export function inScope<Result>(scope: Partial<Pick<ReadScope, 'position' | 'stream' | 'wanted' | 'watch'>>, work: () => Result): Result {
  const parent = scopes.getStore() ?? null;
  const { position, stream, wanted, watch } = parent ?? OUTSIDE;
  return scopes.run({ parent, stream, wanted, watch, ...scope, position: Math.max(position, scope.position ?? 0) }, work);
}

/** Makes later reads in the surrounding scopes wait for a write. Does nothing outside of a scope. */
export function noteWrite(stream: string, position: Position): void {
  for (let scope = scopes.getStore() ?? null; scope !== null; scope = scope.parent) {
    scope.position = Math.max(scope.position, position);
    scope.stream = stream;
  }
}
