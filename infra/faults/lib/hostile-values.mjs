import { between, oneOf } from './seeded.mjs';

const NESTED = 200;

/** Values likely to break something. */
const ODD = [
  null,
  true,
  0,
  -1,
  1e308,
  -0.5,
  2 ** 53,
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e\u2028',
  '../../../etc/passwd',
  "' OR 1=1; --",
  '{"$gt":""}',
  '<script>alert(1)</script>',
  '%MENTION_x_END%',
  '%MENTION_%00_END%',
  '${7*7}{{7*7}}',
  '__proto__',
  'constructor',
  'toString',
  'x'.repeat(100_000),
  '\u{fdfa}'.repeat(2_000),
  [],
  {},
  [null],
  [[[[[[]]]]]],
  { toString: 'x' },
  { length: 1e9 },
  { $ne: null },
  { constructor: { prototype: { admin: true } } },
];

/** Misleading or unreadable header fields. */
const HEADERS = [
  ['x-forwarded-for', '127.0.0.1, ::1, ,,999.999.999.999'],
  ['x-forwarded-host', 'evil.example'],
  ['x-forwarded-proto', 'javascript'],
  ['x-http-method-override', 'DELETE'],
  ['x-original-url', '/api/admin/x'],
  ['authorization', 'Bearer '],
  ['authorization', `Bearer ${'A'.repeat(5_000)}`],
  ['authorization', 'Basic YTpi'],
  ['cookie', 'roughmix_session=x; roughmix_session=y; __proto__=z'],
  ['cookie', `roughmix_device=${'a.b.c~'.repeat(500)}`],
  ['cookie', ';;=;=;'],
  ['idempotency-key', ''],
  ['idempotency-key', 'x'.repeat(129)],
  ['idempotency-key', '__proto__'],
  ['content-type', 'application/json; charset=utf-7'],
  ['content-type', 'application/json\t;x'],
  ['content-type', 'text/plain'],
  ['content-type', 'multipart/form-data; boundary=x'],
  ['content-type', ';'],
  ['content-encoding', 'gzip'],
  ['accept-encoding', 'gzip;q=x, *;q=-1'],
  ['accept', '\x7f'],
  ['if-none-match', '"'.repeat(2_000)],
  ['if-range', 'W/"x"'],
  ['range', 'bytes=0-18446744073709551616'],
  ['range', 'bytes=-0'],
  ['range', 'bytes=9-1'],
  ['range', `bytes=${'0-1,'.repeat(500)}`],
  ['range', 'items=0-1'],
  ['traceparent', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-ff`],
  ['traceparent', '00-\xff'],
  ['x-request-id', 'a\tb'.repeat(100)],
  ['origin', 'null'],
  ['origin', 'https://evil.example'],
  ['sec-fetch-site', 'cross-site'],
  ['expect', '100-continue'],
  ['upgrade', 'h2c'],
];

/** An odd value. */
export const oddValue = (random) => oneOf(random, ODD);

/** Up to three odd header fields. */
export const oddHeaders = (random) => Object.fromEntries(Array.from({ length: between(random, 0, 3) }, () => oneOf(random, HEADERS)));

/** An existing, unknown or invalid id, encoded for a path. */
export function oddId(random, ids) {
  if (random() < 0.5) return oneOf(random, ids);
  const odd = [
    'x',
    'abcdefghijklmnopqrstuvwxyz0123',
    '..',
    '.',
    '%00',
    '%2e%2e%2f',
    '%',
    '%ff',
    '*',
    'a,b,,c',
    ','.repeat(300),
    '-',
    '__proto__',
    '\ud83d',
    'ä'.repeat(300),
  ];
  const id = oneOf(random, odd);
  return /^[%\w.,*-]*$/.test(id) ? id : encodeURIComponent(id.toWellFormed?.() ?? id.replace(/\p{Surrogate}/gu, ''));
}

/** A value for an OpenAPI schema: usually valid, sometimes odd. */
export function valueOf(random, schema, { schemas, ids }) {
  if (random() < 0.06) return oddValue(random);
  if (schema.$ref) return valueOf(random, schemas[schema.$ref.split('/').at(-1)] ?? {}, { schemas, ids });
  if (schema.oneOf) return valueOf(random, oneOf(random, schema.oneOf), { schemas, ids });
  if (schema.enum) return oneOf(random, schema.enum);
  if (schema.type === 'array') return Array.from({ length: between(random, 0, 4) }, () => valueOf(random, schema.items ?? {}, { schemas, ids }));
  if (schema.type === 'number' || schema.type === 'integer') return oneOf(random, [0, 1, 0.5, 100, -1, 1e9]);
  if (schema.type === 'boolean') return random() < 0.5;
  if (schema.type === 'string') return random() < 0.6 ? oneOf(random, ids) : oneOf(random, ['words', `${oneOf(random, ids)}-3`, '1.0']);
  return objectOf(random, schema, { schemas, ids });
}

function objectOf(random, { properties = {} }, known) {
  const all = Object.entries(properties).filter(() => random() < 0.9);
  const made = Object.fromEntries(all.map(([name, schema]) => [name, valueOf(random, schema, known)]));
  return random() < 0.1 ? { ...made, [oneOf(random, ['extra', '__proto_', 'user', 'submission'])]: oddValue(random) } : made;
}

/** The bytes of a body: usually JSON, sometimes truncated, doubled, nested, too large or not text. */
export function oddBytes(random, value) {
  const whole = JSON.stringify(value) ?? '';
  const odd = [
    () => whole.slice(0, between(random, 0, whole.length)),
    () => whole + whole,
    () => `{"submission":${'['.repeat(NESTED * 500)}`,
    () => `{"submission":${'{"a":'.repeat(NESTED)}1${'}'.repeat(NESTED)}}`,
    () => whole.replace(/^\{/, '{"__proto__":{"admin":true},'),
    () => whole.replace(/^\{/, '{"a":1,"a":2,'),
    () => JSON.stringify({ submission: 'x'.repeat(700_000) }),
    () => Buffer.from(Array.from({ length: 64 }, () => between(random, 0, 255))),
    () => '1e99999',
    () => '',
  ];
  return Buffer.from(random() < 0.75 ? whole : oneOf(random, odd)());
}
