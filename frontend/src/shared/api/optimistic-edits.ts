import type { Id } from '@roughmix/contracts/shared/ids.js';
import { type MutationKey, type MutationState, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createFailedEdits, type Edit } from './failed-edits';

export interface OptimisticEdits<Changes extends object, Answer> {
  /** Edits with the same key are sent one after the other, so that the newest arrives last. */
  readonly key: MutationKey;
  readonly send: (edit: Edit<Changes>) => Promise<Answer>;
  /** Applies the response to the cache, which contains only the server's copy. */
  readonly onSaved: (answer: Answer) => void;
  /** Called once per burst, after the response to its last edit. `retry` sends the failed edits, one command per item. */
  readonly onFailed: (error: Error, retry: () => void) => void;
}

/** Sends edits, which {@link usePendingEdits} returns meanwhile. A failed edit is no longer pending, so the server's copy shows again. */
export function useOptimisticEdits<Changes extends object, Answer>({ key, send, onSaved, onFailed }: OptimisticEdits<Changes, Answer>) {
  const cache = useQueryClient();
  const [failed] = useState(() => createFailedEdits<Changes>());
  const { mutate } = useMutation({
    mutationKey: key,
    scope: { id: key.join('/') },
    mutationFn: send,
    onSuccess: (answer, edit) => {
      onSaved(answer);
      failed.supersede(edit);
    },
    onError: (error, edit) => failed.add(edit, error),
    onSettled: () => {
      // This edit still counts as pending here.
      if (cache.isMutating({ mutationKey: key, exact: true }) > 1) return;
      const burst = failed.takeAll();
      if (burst !== null) onFailed(burst.error, () => burst.edits.forEach((edit) => mutate(edit)));
    },
  });
  return mutate;
}

/** Edits without a response yet, oldest first. */
export function usePendingEdits<Changes extends object>(key: MutationKey): readonly Edit<Changes>[] {
  return useMutationState<Edit<Changes>>({
    filters: { mutationKey: key, exact: true, status: 'pending' },
    select: ({ state }: { readonly state: MutationState }) => state.variables as Edit<Changes>,
  });
}

/** The server's items with their pending edits applied in order. */
export function applyEdits<Item extends { readonly _id: Id }>(items: readonly Item[], edits: readonly Edit<Partial<Item>>[]): readonly Item[] {
  if (edits.length === 0) return items;
  return items.map((item) => edits.reduce((shown, { id, changes }) => (id === item._id ? { ...shown, ...changes } : shown), item));
}
