import { REGION_PATHS } from '@roughmix/contracts/regions/region.paths.js';
import type { RegionAddedAnswer, RegionAnswer, RegionView } from '@roughmix/contracts/regions/region.view.js';
import type { GoneView } from '@roughmix/contracts/shared/gone.js';
import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import { type QueryClient, queryOptions, skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { sentenceOf } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { applyEdits, useOptimisticEdits, usePendingEdits } from '../../shared/api/optimistic-edits';
import { removeItems, takeItems } from '../../shared/live/cached-list';
import { useToast } from '../../shared/ui/toast-queue';
import type { RegionChange, RegionContent } from './shown-region';

type Regions = readonly RegionView[];

/** A project's regions, whatever their version; the page's one call fills them, answers and live messages keep them current. */
export const regionsOf = (projectId: Id) => queryOptions<Regions>({ queryKey: ['regions', projectId], queryFn: skipToken });

/** Takes a region into the list; the newest position wins. */
export const takeRegion = (cache: QueryClient, region: RegionView): void => takeItems(cache, regionsOf(region.projectId).queryKey, [region]);

export const dropRegions = (cache: QueryClient, projectId: Id, ids: readonly Id[], position: Position): void =>
  removeItems(cache, regionsOf(projectId).queryKey, ids, position);

/** Takes a command's answer: the current region, or that it was removed in the meantime. */
const takeAnswer = (cache: QueryClient, answer: RegionView | GoneView): void =>
  'removed' in answer ? dropRegions(cache, answer.projectId, [answer._id], answer.position) : takeRegion(cache, answer);

/** Says why a change failed, and offers a retry. */
function useFailure() {
  const toast = useToast();
  return (what: string, error: unknown, again: () => void) =>
    void toast.show({ kind: 'failed', message: `${what} ${sentenceOf(error)}`, action: { label: 'Retry', onPress: again } });
}

/** Saves a new region; the answer is the region as it stands. */
export function useAddRegion(projectId: Id) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (submission: RegionContent) => (await api.send<RegionAddedAnswer>('POST', REGION_PATHS.add, { projectId, submission })).answer.newRegion,
    onSuccess: (region) => takeAnswer(cache, region),
  });
}

const editsKey = (projectId: Id) => ['regions', projectId, 'edit'] as const;

/** The regions as the page shows them: the server's copies, with the user's own unanswered edits applied. */
export function useRegions(projectId: Id): Regions | undefined {
  const { data } = useQuery(regionsOf(projectId));
  const edits = usePendingEdits<RegionChange>(editsKey(projectId));
  return useMemo(() => data && applyEdits<RegionView>(data, edits), [data, edits]);
}

/** Changes the user's own region: `useRegions` shows the change at once, and the server's copy again if it is refused. */
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

/** Removes the user's own region. */
export function useRemoveRegion(projectId: Id) {
  const cache = useQueryClient();
  const failed = useFailure();
  const remove = useMutation({
    mutationFn: (regionId: Id) => api.send('POST', REGION_PATHS.one(regionId), { projectId }),
    onSuccess: ({ position }, regionId) => dropRegions(cache, projectId, [regionId], position ?? 0),
    onError: (error, regionId) => failed('The region was not removed.', error, () => remove.mutate(regionId)),
  });
  return remove;
}
