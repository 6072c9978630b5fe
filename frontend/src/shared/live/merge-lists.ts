import type { Id, Position } from '@roughmix/contracts/shared/ids.js';

/** An item of a list, with the position of the event that last changed it. */
export interface Positioned {
  readonly _id: Id;
  readonly position: Position;
}

/** The position at which each removed item was removed. An older state of the item that arrives later is dropped. */
export type Tombstones = ReadonlyMap<Id, Position>;

export const NO_TOMBSTONES: Tombstones = new Map();

/** Enough for every removal that can overtake an answer in flight. */
const MOST_TOMBSTONES = 500;

const newer = <T extends Positioned>(current: T | undefined, incoming: T): T =>
  current !== undefined && current.position > incoming.position ? current : incoming;

/** The list with the item in its old place or at the end; unchanged if the list has a newer state of it. */
export function upsertNewer<T extends Positioned>(list: readonly T[] | undefined, item: T): readonly T[] {
  if (list === undefined) return [item];
  const at = list.findIndex(({ _id }) => _id === item._id);
  const known = list[at];
  if (known === undefined) return [...list, item];
  return known.position > item.position ? list : list.with(at, item);
}

/** The list without these items; the same list if it has none of them. */
export function removeIds<T extends { readonly _id: string }>(list: readonly T[] | undefined, ids: readonly string[]): readonly T[] {
  if (list === undefined) return [];
  const removed = new Set(ids);
  return list.some(({ _id }) => removed.has(_id)) ? list.filter(({ _id }) => !removed.has(_id)) : list;
}

/** Whether this state of an item is from before its removal. */
export const isRemoved = ({ _id, position }: Positioned, tombstones: Tombstones): boolean => (tombstones.get(_id) ?? -1) >= position;

/** A snapshot without the items that were removed after it was made. */
export const withoutRemoved = <T extends Positioned>(snapshot: readonly T[], snapshotPosition: Position, tombstones: Tombstones): readonly T[] =>
  snapshot.some(({ _id }) => (tombstones.get(_id) ?? -1) > snapshotPosition)
    ? snapshot.filter(({ _id }) => (tombstones.get(_id) ?? -1) <= snapshotPosition)
    : snapshot;

/**
 * Merges a query's answer into the list that live messages keep current while the answer was in flight: the newer state of each item wins, items added
 * after the snapshot stay, and items removed after it stay removed.
 * @param snapshotPosition the position at which `incoming` was read
 */
export function mergeSnapshot<T extends Positioned>(
  current: readonly T[] | undefined,
  incoming: readonly T[],
  snapshotPosition: Position,
  tombstones: Tombstones,
): readonly T[] {
  const remaining = withoutRemoved(incoming, snapshotPosition, tombstones);
  if (current === undefined) return remaining;
  const currentById = new Map(current.map((item) => [item._id, item]));
  const remainingIds = new Set(remaining.map(({ _id }) => _id));
  const added = current.filter(({ _id, position }) => !remainingIds.has(_id) && position > snapshotPosition);
  return [...remaining.map((item) => newer(currentById.get(item._id), item)), ...added];
}

/** The tombstones with those of a removal, the oldest dropped beyond a fixed number. */
export function addTombstones(tombstones: Tombstones, ids: readonly Id[], position: Position): Tombstones {
  const next = new Map(tombstones);
  for (const id of ids) {
    const at = Math.max(position, next.get(id) ?? position);
    next.delete(id);
    next.set(id, at);
  }
  return new Map([...next].slice(-MOST_TOMBSTONES));
}

/** The tombstones that a snapshot does not cover: it says by itself what was removed before it was made. */
export const tombstonesAfter = (tombstones: Tombstones, snapshotPosition: Position): Tombstones =>
  new Map([...tombstones].filter(([, position]) => position > snapshotPosition));
