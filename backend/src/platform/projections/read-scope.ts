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

/** A position that reads wait for, but only until `deadline` (a time of `performance.now()`); then they continue with older documents. */
export interface WantedPosition {
  readonly position: Position;
  readonly deadline: number;
  /** Called with the position of the documents that such a read used instead. */
  readonly onBehind?: (reached: Position) => void;
}

/** What reads wait for while some work runs, and where they are recorded. */
export interface ReadScope {
  readonly parent: ReadScope | null;
  /** Every read model must have reached this position before it is read. Grows with the writes of the work itself. */
  position: Position;
  /** The stream that the work wrote last. Its answer must not use read models that have parked this stream. */
  stream: string | null;
  readonly wanted: readonly WantedPosition[];
  readonly record: ReadRecord | null;
}

type NewScope = Partial<Pick<ReadScope, 'position' | 'stream' | 'record'>> & { readonly wanted?: WantedPosition };

/** Up to Node 22, every await becomes slower once a process has opened a scope, so work that need not wait opens none. */
const scopes = new AsyncLocalStorage<ReadScope>();
const OUTSIDE: ReadScope = { parent: null, position: 0, stream: null, wanted: [], record: null };

/** The position that a read model must have reached for a read in a scope not to wait. */
export const awaitedIn = ({ position, wanted }: ReadScope): Position => Math.max(position, ...wanted.map((each) => each.position));

/** The scope that surrounds this call, if any. */
export const currentScope = (): ReadScope | undefined => scopes.getStore();

/** Runs work in a scope within the one that surrounds this call. */
export function inScope<Result>(scope: NewScope, work: () => Result): Result {
  const parent = scopes.getStore() ?? null;
  const { position, stream, wanted, record } = parent ?? OUTSIDE;
  const { wanted: added, ...own } = scope;
  const all = added === undefined ? wanted : [...wanted, added];
  return scopes.run({ parent, stream, record, ...own, wanted: all, position: Math.max(position, scope.position ?? 0) }, work);
}

/** Makes later reads in the surrounding scopes wait for a write. Does nothing outside of a scope. */
export function recordWrite(stream: string, position: Position): void {
  for (let scope = scopes.getStore() ?? null; scope !== null; scope = scope.parent) {
    scope.position = Math.max(scope.position, position);
    scope.stream = stream;
  }
}
