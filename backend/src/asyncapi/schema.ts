/** A JSON schema (draft 07), as far as AsyncAPI supports it. */
export type Schema = Readonly<Record<string, unknown>>;
type Optional = readonly [Schema];

/** One schema per field of a type: a missing, extra or wrongly optional field does not compile. */
export type Fields<Shape> = { readonly [Name in keyof Shape]-?: undefined extends Shape[Name] ? Optional : Schema };

export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const number: Schema = { type: 'number' };
export const whole: Schema = { type: 'integer', minimum: 0 };
export const nothing: Schema = { type: 'null' };
export const instant: Schema = { type: 'integer', description: 'milliseconds since 1970, UTC' };
export const position: Schema = { type: 'integer', minimum: 0, description: 'a position in the log' };
export const oneOf = (...values: readonly (string | number)[]): Schema => ({ enum: values });
export const listOf = (items: Schema): Schema => ({ type: 'array', items });
export const orNull = (schema: Schema): Schema => ({ anyOf: [schema, nothing] });
export const either = (...schemas: readonly Schema[]): Schema => ({ anyOf: schemas });
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
export const optional = (schema: Schema): Optional => [schema];
/** A field that is never present. */
export const absent: Optional = [{ not: {} }];

const isOptional = (field: unknown): field is Optional => Array.isArray(field);

/** An object with exactly these fields. */
export function objectOf<Shape>(fields: Fields<Shape>): Schema {
  const all = Object.entries<Schema | Optional>(fields);
  return {
    type: 'object',
    additionalProperties: false,
    required: all.filter(([, field]) => !isOptional(field)).map(([name]) => name),
    properties: Object.fromEntries(all.map(([name, field]) => [name, isOptional(field) ? field[0] : field])),
  };
}
