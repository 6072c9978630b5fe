import 'reflect-metadata';
import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { IGNORED_FIELDS, ignores, NESTED, type RuleContext } from '@roughmix/contracts/shared/body.js';
import { plainToInstance, type ClassConstructor } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { Refused } from '../../kernel/refusal.js';
import { UnreadBody } from './json-body.js';
import { isModest } from './json-shape.js';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Validates a body against its class. Unknown fields are refused, except those that the spec's clients send needlessly: they are dropped.
 * @throws Refused `request.unknown-field`, a rule's own code (limits), or `request.invalid` with every invalid field
 */
export function parseBody<Body extends object>(shape: ClassConstructor<Body>, raw: unknown): Body {
  if (raw instanceof UnreadBody) throw new Refused(raw.code);
  const body = raw ?? {};
  if (!isObject(body) || typeof body.pipe === 'function') throw new Refused(isObject(body) ? 'request.media-type' : 'request.invalid');
  refuseUnsafe(body);
  const instance = plainToInstance(shape, knownFields(shape, body, ''), { enableImplicitConversion: false });
  const errors = validateSync(instance, { forbidUnknownValues: false });
  if (errors.length > 0) throw refusalOf(errors);
  return instance;
}

/** Reads a body that is itself a map. @throws Refused `ids.too-many` for more than `most` entries; `request.invalid` for anything but a map to these values */
export function parseMap<Value extends string>(raw: unknown, values: readonly Value[], most: number): ReadonlyMap<string, Value> {
  if (raw instanceof UnreadBody) throw new Refused(raw.code);
  const body = raw ?? {};
  if (!isObject(body)) throw new Refused('request.invalid');
  refuseUnsafe(body);
  const entries = Object.entries(body);
  if (entries.length > most) throw new Refused('ids.too-many', { limit: most });
  const invalid = entries.find(([, value]) => !values.some((each) => each === value));
  if (invalid !== undefined) throw new Refused('request.invalid', { field: invalid[0] });
  return new Map(entries as [string, Value][]);
}

/** Names that libraries confuse with JavaScript's own members. No body declares them. */
const UNSAFE_NAMES: readonly string[] = ['constructor', '__proto__'];

/** @throws Refused for a body that is too deep or has too many members, or one of {@link UNSAFE_NAMES} */
function refuseUnsafe(body: object): void {
  // Bodies of requests were checked when they were read, those of socket messages were not.
  if (!isModest(body)) throw new Refused('request.invalid');
  refuseUnsafeNames(body, '');
}

function refuseUnsafeNames(value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (UNSAFE_NAMES.includes(name)) throw new Refused('request.unknown-field', { field: `${path}${name}` });
    refuseUnsafeNames(member, Array.isArray(value) ? path : `${path}${name}.`);
  }
}

/** A copy with the declared fields only. Drops those that the class {@link ignores}, and {@link IGNORED_FIELDS} at the top, in `submission` and in `initialVersion`. */
function knownFields(shape: ClassConstructor<object>, body: Record<string, unknown>, path: string): Record<string, unknown> {
  const fields = fieldsOf(shape);
  const dropsIgnored = path === '' || path === 'submission.' || path === 'initialVersion.';
  const known: Record<string, unknown> = {};
  for (const name of Object.keys(body)) {
    const value = body[name];
    if (!fields.has(name)) {
      if ((dropsIgnored && IGNORED_FIELDS.has(name)) || ignores(shape, name)) continue;
      throw new Refused('request.unknown-field', { field: `${path}${name}` });
    }
    const nested = fields.get(name);
    if (nested === undefined || nested === null) known[name] = value;
    else if (Array.isArray(value)) known[name] = value.map((member: unknown) => (isObject(member) ? knownFields(nested, member, `${path}${name}.`) : member));
    else known[name] = isObject(value) ? knownFields(nested, value, `${path}${name}.`) : value;
  }
  return known;
}

const fieldCache = new Map<unknown, ReadonlyMap<string, ClassConstructor<object> | null>>();

/** The declared fields of a body class, each with its class if it is nested. */
function fieldsOf(shape: ClassConstructor<object>): ReadonlyMap<string, ClassConstructor<object> | null> {
  const cached = fieldCache.get(shape);
  if (cached !== undefined) return cached;
  const fields = new Map<string, ClassConstructor<object> | null>();
  for (const rule of getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false)) {
    if (!fields.has(rule.propertyName)) fields.set(rule.propertyName, nestedClass(shape, rule.propertyName));
  }
  fieldCache.set(shape, fields);
  return fields;
}

function nestedClass(shape: ClassConstructor<object>, field: string): ClassConstructor<object> | null {
  const found: unknown = Reflect.getMetadata(NESTED, shape.prototype as object, field);
  return typeof found === 'function' ? (found as () => ClassConstructor<object>)() : null;
}

function leaves(errors: readonly ValidationError[], path: string): readonly { field: string; error: ValidationError }[] {
  return errors.flatMap((error) => {
    const field = `${path}${error.property}`;
    return [...(error.constraints === undefined ? [] : [{ field, error }]), ...leaves(error.children ?? [], `${field}.`)];
  });
}

function refusalOf(errors: readonly ValidationError[]): Refused {
  const found = leaves(errors, '');
  for (const { field, error } of found) {
    const context = Object.values(error.contexts ?? {})[0] as RuleContext | undefined;
    if (context === undefined || Object.keys(error.constraints ?? {}).length !== Object.keys(error.contexts ?? {}).length) continue;
    return new Refused(context.code satisfies ProblemCode, {
      field: field.split('.').at(-1) ?? field,
      ...(context.limit === undefined ? {} : { limit: context.limit }),
    });
  }
  return new Refused('request.invalid', {
    errors: found.map(({ field, error }) => ({
      field,
      code: Object.keys(error.constraints ?? {})[0] ?? 'invalid',
      detail: Object.values(error.constraints ?? {})[0] ?? '',
    })),
  });
}
