import type { Id } from '@roughmix/contracts/shared/ids.js';
import { type MutationKey, type MutationState, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createFailedEdits, type Edit } from './failed-edits';

export interface OptimisticEdits<Changes extends object, Answer> {
  /** Edits under the same key are sent one after the other: the newest arrives last. */
  readonly key: MutationKey;
  readonly send: (edit: Edit<Changes>) => Promise<Answer>;
  /** Takes the server's answer into the cache, where only the server's copy is kept. */
  readonly onSaved: (answer: Answer) => void;
  /** Called once per burst, after its last edit was answered. `retry` sends what was lost, one command per item. */
  readonly onFailed: (error: Error, retry: () => void) => void;
}

/** Sends edits that {@link usePendingEdits} shows until they are answered. A failed one is no longer pending, which leaves the server's copy. */
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

/** Edits that were made and not answered yet, the oldest first. */
export function usePendingEdits<Changes extends object>(key: MutationKey): readonly Edit<Changes>[] {
  return useMutationState<Edit<Changes>>({
    filters: { mutationKey: key, exact: true, status: 'pending' },
    select: ({ state }: { readonly state: MutationState }) => state.variables as Edit<Changes>,
  });
}

/** Items as they are shown: the server's copy of each, with its pending edits applied in order. */
export function applyEdits<Item extends { readonly _id: Id }>(items: readonly Item[], edits: readonly Edit<Partial<Item>>[]): readonly Item[] {
  if (edits.length === 0) return items;
  return items.map((item) => edits.reduce((shown, { id, changes }) => (id === item._id ? { ...shown, ...changes } : shown), item));
}
