/** A Kubernetes object, with the fields that we use. */
export interface Resource {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly name: string; readonly labels?: Labels };
  readonly spec: unknown;
}
export type Labels = Readonly<Record<string, string>>;

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const nameIn = (value: unknown): unknown => (isFields(value) ? value['name'] : undefined);

/** Merges lists of named items by name, like a strategic merge; other lists are replaced. */
function mergedLists(own: readonly unknown[], other: readonly unknown[]): readonly unknown[] {
  if (![...own, ...other].every((each) => nameIn(each) !== undefined)) return other;
  const added = other.filter((each) => !own.some((mine) => nameIn(mine) === nameIn(each)));
  const patched = own.map((mine) => {
    const patch = other.find((each) => nameIn(each) === nameIn(mine));
    return patch === undefined ? mine : merged(mine, patch);
  });
  return [...patched, ...added];
}

/** Applies a patch like kustomize does. */
export function merged(own: unknown, patch: unknown): unknown {
  if (Array.isArray(own) && Array.isArray(patch)) return mergedLists(own as readonly unknown[], patch as readonly unknown[]);
  if (!isFields(own) || !isFields(patch)) return patch;
  const fields = Object.entries(patch).map(([name, value]) => [name, name in own ? merged(own[name], value) : value]);
  return { ...own, ...Object.fromEntries(fields) };
}
