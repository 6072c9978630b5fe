import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import {
  addTombstones,
  isRemoved,
  mergeSnapshot,
  NO_TOMBSTONES,
  type Positioned,
  removeIds,
  type Tombstones,
  tombstonesAfter,
  upsertNewer,
  withoutRemoved,
} from './merge-lists';

const TOMBSTONES = 'removed';

/** Tombstones live beside their list in the query cache, so that they end with the session and with the project. */
const tombstonesKey = (listKey: QueryKey): QueryKey => [TOMBSTONES, ...listKey];

/** What was removed from a cached list, and when. */
export const tombstonesOf = (cache: QueryClient, listKey: QueryKey): Tombstones => cache.getQueryData<Tombstones>(tombstonesKey(listKey)) ?? NO_TOMBSTONES;

/** Adds or updates items of a cached list, from pushes and command answers. Before the first snapshot there is no list: the snapshot will contain them. */
export function takeItems<T extends Positioned>(cache: QueryClient, listKey: QueryKey, items: readonly T[]): void {
  const tombstones = tombstonesOf(cache, listKey);
  const remaining = items.filter((item) => !isRemoved(item, tombstones));
  cache.setQueryData<readonly T[]>(listKey, (list) => list && remaining.reduce<readonly T[]>(upsertNewer, list));
}

/** Removes items from a cached list for good: an answer made before the removal cannot bring them back. */
export function removeItems(cache: QueryClient, listKey: QueryKey, ids: readonly Id[], position: Position): void {
  // By default, the query cache drops an unobserved query five minutes after its first write, even if its newest tombstone is recent.
  cache.setQueryDefaults([TOMBSTONES], { gcTime: Number.POSITIVE_INFINITY });
  cache.setQueryData<Tombstones>(tombstonesKey(listKey), (tombstones = NO_TOMBSTONES) => addTombstones(tombstones, ids, position));
  cache.setQueryData<readonly Positioned[]>(listKey, (list) => list && removeIds(list, ids));
}

/** Merges a complete snapshot, read at `snapshotPosition`, into a cached list. */
export function fillList<T extends Positioned>(cache: QueryClient, listKey: QueryKey, incoming: readonly T[], snapshotPosition: Position): void {
  const tombstones = tombstonesOf(cache, listKey);
  cache.setQueryData<readonly T[]>(listKey, (current) => mergeSnapshot(current, incoming, snapshotPosition, tombstones));
  cache.setQueryData<Tombstones>(tombstonesKey(listKey), (known) => known && tombstonesAfter(known, snapshotPosition));
}

/**
 * The items of an answer without those removed since, for answers that do not state at which position they were made. The newest position of their items is
 * used instead, so an item removed after that stays removed.
 */
export function withoutRemovedSince<T extends Positioned>(cache: QueryClient, listKey: QueryKey, incoming: readonly T[]): readonly T[] {
  const coveredUpTo = Math.max(0, ...incoming.map(({ position }) => position));
  return withoutRemoved(incoming, coveredUpTo, tombstonesOf(cache, listKey));
}
