import type { FieldClass, FieldClasses } from '@roughmix/contracts/shared/field-classes.js';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list counts as one leaf unless its members are objects. */
const isListOfObjects = (value: unknown): value is readonly Record<string, unknown>[] => Array.isArray(value) && value.length > 0 && value.every(isObject);

/**
 * A copy of plain JSON in which each leaf went through `change`, which hears its dotted path (`items[].uid` within lists of objects).
 * `isLeaf` lets an object count as a leaf.
 */
export function mapLeaves(
  value: unknown,
  change: (path: string, leaf: unknown) => unknown,
  isLeaf: (value: unknown) => boolean = () => false,
  path = '',
): unknown {
  if (isLeaf(value)) return change(path, value);
  if (isListOfObjects(value)) return value.map((member) => mapLeaves(member, change, isLeaf, `${path}[]`));
  if (!isObject(value)) return change(path, value);
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) copy[name] = mapLeaves(member, change, isLeaf, path === '' ? name : `${path}.${name}`);
  return copy;
}

/**
 * Plain JSON in which the leaves that `isLeaf` knows went through `change`, which hears their dotted path as in {@link mapLeaves}. What holds none of them
 * is not copied.
 */
export function replaceLeaves<Leaf>(
  value: unknown,
  isLeaf: (value: unknown) => value is Leaf,
  change: (path: string, leaf: Leaf) => unknown,
  path = '',
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isLeaf(value)) return change(path, value);
  if (Array.isArray(value)) return isListOfObjects(value) ? value.map((member) => replaceLeaves(member, isLeaf, change, `${path}[]`)) : value;
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof member !== 'object' || member === null) continue;
    const replaced = replaceLeaves(member, isLeaf, change, path === '' ? name : `${path}.${name}`);
    if (replaced === member) continue;
    copy ??= { ...value };
    copy[name] = replaced;
  }
  return copy ?? value;
}

/** The declared class of a leaf. An empty list of objects is a leaf that holds nothing, so any declared member speaks for it. */
export function classOf(classes: FieldClasses, path: string): FieldClass | undefined {
  const own = classes[path];
  if (own !== undefined) return own;
  return Object.keys(classes).some((name) => name.startsWith(`${path}[].`)) ? 'plain' : undefined;
}

/** What stands at a dotted path. */
export function valueAt(data: unknown, path: string): unknown {
  let at: unknown = data;
  for (const name of path.split('.')) at = isObject(at) ? at[name] : undefined;
  return at;
}
