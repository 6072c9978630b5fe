import { REGION_PATHS } from '@roughmix/contracts/regions/region.paths.js';
import type { RegionAddedAnswer, RegionAnswer, RegionsAnswer, RegionView } from '@roughmix/contracts/regions/region.view.js';
import type { GoneView } from '@roughmix/contracts/shared/gone.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { sentenceOf } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { removeIds, upsertNewer } from '../../shared/api/upsert-newer';
import { useToast } from '../../shared/ui/toast-queue';
import type { RegionChange, RegionContent } from './shown-region';

type Regions = readonly RegionView[];

const keyOf = (projectId: Id) => ['regions', projectId] as const;

const chunksOf = (ids: readonly Id[]): readonly (readonly Id[])[] =>
  Array.from({ length: Math.ceil(ids.length / LIMITS.idsInOneCall) }, (_, at) => ids.slice(at * LIMITS.idsInOneCall, (at + 1) * LIMITS.idsInOneCall));

/**
 * A project's regions, whatever their version.
 * @param regionIds those that the project's view names; what came live since is asked for as well
 */
export const regionsOf = (projectId: Id, regionIds: readonly Id[] = []) =>
  queryOptions({
    queryKey: keyOf(projectId),
    queryFn: async ({ client, signal }): Promise<Regions> => {
      const known = client.getQueryData<Regions>(keyOf(projectId)) ?? [];
      const ids = [...new Set([...regionIds, ...known.map(({ _id }) => _id)])];
      const answers = await Promise.all(chunksOf(ids).map((chunk) => api.get<RegionsAnswer>(REGION_PATHS.byIds(chunk), { signal })));
      return answers.flatMap(({ regions }) => regions);
    },
  });

/** A region that somebody removed since is taken out. */
const take = (list: Regions | undefined, region: RegionView | GoneView): Regions =>
  'removed' in region ? removeIds(list, [region._id]) : upsertNewer(list, region);

const change = (cache: QueryClient, projectId: Id, by: (list: Regions | undefined) => Regions) => cache.setQueryData(regionsOf(projectId).queryKey, by);

/** Says why something was not done, and offers to do it again. */
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
    onSuccess: (region) => void change(cache, projectId, (list) => take(list, region)),
  });
}

export interface RegionEdit {
  readonly region: Pick<RegionView, '_id'>;
  readonly changes: RegionChange;
}

/** Changes one's own region: the wave shows it at once, and the old state again when it is refused. */
export function useEditRegion(projectId: Id) {
  const cache = useQueryClient();
  const failed = useFailure();
  const mutationKey = ['regions', projectId, 'edit'] as const;
  const edit = useMutation({
    mutationKey,
    // One after the other, or the older one might be the last to arrive.
    scope: { id: mutationKey.join('/') },
    mutationFn: async ({ region, changes }: RegionEdit) =>
      (await api.send<RegionAnswer>('PUT', REGION_PATHS.one(region._id), { projectId, submission: changes })).answer.updatedRegion,
    onMutate: ({ region, changes }) => {
      const before = cache.getQueryData(regionsOf(projectId).queryKey)?.find(({ _id }) => _id === region._id);
      change(cache, projectId, (list = []) => list.map((one) => (one._id === region._id ? { ...one, ...changes } : one)));
      return before;
    },
    onError: (error, wish, before) => {
      if (before) change(cache, projectId, (list = []) => list.map((one) => (one._id === before._id && one.position === before.position ? before : one)));
      failed('The region was not changed.', error, () => edit.mutate(wish));
    },
    // While more edits wait, the cache is ahead of this answer.
    onSuccess: (region) => void (cache.isMutating({ mutationKey }) <= 1 && change(cache, projectId, (list) => take(list, region))),
  });
  return edit;
}

/** Removes one's own region. */
export function useRemoveRegion(projectId: Id) {
  const cache = useQueryClient();
  const failed = useFailure();
  const remove = useMutation({
    mutationFn: (regionId: Id) => api.send('POST', REGION_PATHS.one(regionId), { projectId }),
    onSuccess: (_sent, regionId) => void change(cache, projectId, (list) => removeIds(list, [regionId])),
    onError: (error, regionId) => failed('The region is still there.', error, () => remove.mutate(regionId)),
  });
  return remove;
}
