import { REGION_PATHS } from '@roughmix/contracts/regions/region.paths.js';
import type { RegionAddedAnswer, RegionAnswer, RegionView } from '@roughmix/contracts/regions/region.view.js';
import type { GoneView } from '@roughmix/contracts/shared/gone.js';
import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import { type QueryClient, queryOptions, skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { errorMessage } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { applyEdits, useOptimisticEdits, usePendingEdits } from '../../shared/api/optimistic-edits';
import { removeItems, takeItems } from '../../shared/live/cached-list';
import { usePendingRemovals, useRemovedIds } from '../../shared/removals/removals-provider';
import { unlessGone } from '../../shared/removals/unless-gone';
import { useToast } from '../../shared/ui/toast-queue';
import type { RegionChange, RegionContent } from './shown-region';

type Regions = readonly RegionView[];

/** A project's regions of all versions. The page's request fills the list; command responses and pushes keep it current. */
export const regionsOf = (projectId: Id) => queryOptions<Regions>({ queryKey: ['regions', projectId], queryFn: skipToken });

/** Adds or updates a region; the newest position wins. */
export const takeRegion = (cache: QueryClient, region: RegionView): void => takeItems(cache, regionsOf(region.projectId).queryKey, [region]);

export const dropRegions = (cache: QueryClient, projectId: Id, ids: readonly Id[], position: Position): void =>
  removeItems(cache, regionsOf(projectId).queryKey, ids, position);

/** Applies a command's response: the current region, or its removal by someone else. */
const takeAnswer = (cache: QueryClient, answer: RegionView | GoneView): void =>
  'removed' in answer ? dropRegions(cache, answer.projectId, [answer._id], answer.position) : takeRegion(cache, answer);

/** Shows why a change failed, with a retry. */
function useFailure() {
  const toast = useToast();
  return (what: string, error: unknown, again: () => void) =>
    void toast.show({ kind: 'failed', message: `${what} ${errorMessage(error)}`, action: { label: 'Retry', onPress: again } });
}

/** Saves a new region; resolves to the saved region. */
export function useAddRegion(projectId: Id) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (submission: RegionContent) => (await api.send<RegionAddedAnswer>('POST', REGION_PATHS.add, { projectId, submission })).answer.newRegion,
    onSuccess: (region) => takeAnswer(cache, region),
  });
}

/** Whether the list has a region now, which components may not show yet. */
export function useIsRegionInList(projectId: Id): (id: Id) => boolean {
  const cache = useQueryClient();
  return (id) => cache.getQueryData(regionsOf(projectId).queryKey)?.some(({ _id }) => _id === id) === true;
}

const editsKey = (projectId: Id) => ['regions', projectId, 'edit'] as const;

/** The server's regions with the user's pending edits and removals applied. */
export function useRegions(projectId: Id): Regions | undefined {
  const { data } = useQuery(regionsOf(projectId));
  const edits = usePendingEdits<RegionChange>(editsKey(projectId));
  const removed = useRemovedIds();
  return useMemo(() => data && applyEdits<RegionView>(data, edits).filter(({ _id }) => !removed.has(_id)), [data, edits, removed]);
}

/** Edits the user's own region. `useRegions` shows the edit immediately, and the server's copy again if it is refused. */
export function useEditRegion(projectId: Id) {
  const cache = useQueryClient();
  const failed = useFailure();
  return useOptimisticEdits<RegionChange, RegionView | GoneView>({
    key: editsKey(projectId),
    send: async ({ id, changes }) => (await api.send<RegionAnswer>('PUT', REGION_PATHS.one(id), { projectId, submission: changes })).answer.updatedRegion,
    onSaved: (region) => takeAnswer(cache, region),
    onFailed: (error, retry) => failed('The region was not changed.', error, retry),
  });
}

/** Removes the user's own region, with an Undo. */
export function useRemoveRegion(projectId: Id) {
  const cache = useQueryClient();
  const removals = usePendingRemovals();
  return (id: Id, onUndone: () => void) =>
    removals.remove({
      id,
      done: 'Region removed.',
      failed: 'The region was not removed.',
      send: async (options) => {
        const sent = await unlessGone('region.not-found', api.send('POST', REGION_PATHS.one(id), { projectId }, options));
        dropRegions(cache, projectId, [id], sent?.position ?? 0);
      },
      onUndone,
    });
}
