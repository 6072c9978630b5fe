import type { FieldClass, FieldClasses } from '@roughmix/contracts/shared/field-classes.js';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list is one leaf unless its members are objects. */
const isListOfObjects = (value: unknown): value is readonly Record<string, unknown>[] => Array.isArray(value) && value.length > 0 && value.every(isObject);

/**
 * Copies plain JSON, replacing each leaf by `change(path, leaf)`. Paths are dotted, with `[]` after the name of a list of objects: `items[].uid`.
 */
export function mapLeaves(value: unknown, change: (path: string, leaf: unknown) => unknown, path = ''): unknown {
  if (isListOfObjects(value)) return value.map((member) => mapLeaves(member, change, `${path}[]`));
  if (!isObject(value)) return change(path, value);
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) copy[name] = mapLeaves(member, change, path === '' ? name : `${path}.${name}`);
  return copy;
}

/**
 * Replaces the leaves that `isLeaf` selects by `change(path, leaf)`, with paths as in {@link mapLeaves}. Values without such leaves are returned as they
 * are, not copied.
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

/** The declared class of a leaf. An empty list of objects is a leaf without content, so it is plain if any field of its members is declared. */
export function classOf(classes: FieldClasses, path: string): FieldClass | undefined {
  const own = classes[path];
  if (own !== undefined) return own;
  return Object.keys(classes).some((name) => name.startsWith(`${path}[].`)) ? 'plain' : undefined;
}

/** The value at a dotted path; undefined if there is none. */
export function valueAt(data: unknown, path: string): unknown {
  let at: unknown = data;
  for (const name of path.split('.')) at = isObject(at) ? at[name] : undefined;
  return at;
}
