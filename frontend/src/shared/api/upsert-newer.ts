interface Placed {
  readonly _id: string;
  readonly position: number;
}

/** The list with the item in it: at its old place when the list knew it, at the end when not, and as it was when the list knows a newer one. */
export function upsertNewer<T extends Placed>(list: readonly T[] | undefined, item: T): readonly T[] {
  if (list === undefined) return [item];
  const at = list.findIndex(({ _id }) => _id === item._id);
  const known = list[at];
  if (known === undefined) return [...list, item];
  return known.position > item.position ? list : list.with(at, item);
}

/** The list without these; itself when it has none of them. */
export function removeIds<T extends { readonly _id: string }>(list: readonly T[] | undefined, ids: readonly string[]): readonly T[] {
  if (list === undefined) return [];
  const gone = new Set(ids);
  return list.some(({ _id }) => gone.has(_id)) ? list.filter(({ _id }) => !gone.has(_id)) : list;
}
