import type { Id } from '@roughmix/contracts/shared/ids.js';

/** A change of one item, field by field. */
export interface Edit<Changes extends object> {
  readonly id: Id;
  readonly changes: Changes;
}

/** The failed edits of a burst, one per item, to be reported and retried together. */
export interface FailedEdits<Changes extends object> {
  readonly add: (edit: Edit<Changes>, error: Error) => void;
  /** A later edit of the same fields was saved: retrying the failed one would undo it. */
  readonly supersede: (edit: Edit<Changes>) => void;
  /** Ends the burst; null if nothing is left to report. */
  readonly takeAll: () => { readonly error: Error; readonly edits: readonly Edit<Changes>[] } | null;
}

export function createFailedEdits<Changes extends object>(): FailedEdits<Changes> {
  const byId = new Map<Id, Changes>();
  let lastError: Error | null = null;
  return {
    add: ({ id, changes }, error) => {
      byId.set(id, { ...byId.get(id), ...changes });
      lastError = error;
    },
    supersede: ({ id, changes }) => {
      const left = Object.entries(byId.get(id) ?? {}).filter(([field]) => !(field in changes));
      if (left.length === 0) byId.delete(id);
      else byId.set(id, Object.fromEntries(left) as Changes);
    },
    takeAll: () => {
      const edits = [...byId].map(([id, changes]) => ({ id, changes }));
      const error = lastError;
      byId.clear();
      lastError = null;
      return error === null || edits.length === 0 ? null : { error, edits };
    },
  };
}
