import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { type Person, startApp, type TestApp } from '../../testing/app.js';
import { bodyOf, type Method, expectRefused, statusAndCode } from '../../testing/test-client.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly maxProperties?: number;
  readonly additionalProperties?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly oneOf?: readonly Schema[];
}
interface Operation {
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

let app: TestApp;
let ana: Person;
let openApi: OpenApi;
beforeAll(async () => {
  app = await startApp({ THROTTLE_CONTACT: '1000', THROTTLE_INVITE_REQUESTS: '1000' });
  ana = await app.person('Ana');
  openApi = (await (await fetch(`${app.url}/docs/openapi.json`)).json()) as OpenApi;
});
afterAll(() => app.stop());

/** An escaped UTF-16 unit, a number, and an empty object; a name adds quotes, colon and comma. */
const UNIT_BYTES = 6;
const NUMBER_BYTES = 25;
const BRACES_BYTES = 2;
const PUNCTUATION_BYTES = 4;
const ID_LENGTH = 64;

/** The most bytes that a valid body can have. Lists contain ids, not texts. Texts without a length are dates or one of a few words. */
function mostBytes({ $ref, items, maxItems, oneOf = [], ...schema }: Schema, unitBytes = UNIT_BYTES): number {
  if (maxItems !== undefined) return maxItems * mostBytes($ref === undefined ? (items ?? {}) : { $ref }, 1);
  if ($ref !== undefined && schema.type !== 'string') return mostBytes(openApi.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}, unitBytes);
  if (oneOf.length > 0) return Math.max(...oneOf.map((each) => mostBytes(each)));
  // A value that the class does not describe, such as a note.
  if (schema.type === undefined) return Infinity;
  if (schema.type === 'boolean') return 'false'.length;
  if (schema.type !== 'object') return schema.maxLength === undefined ? NUMBER_BYTES : schema.maxLength * unitBytes;
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => name.length + PUNCTUATION_BYTES + mostBytes(field, unitBytes));
  const entries = (schema.maxProperties ?? 0) * (ID_LENGTH + PUNCTUATION_BYTES + NUMBER_BYTES);
  return fields.reduce((sum, bytes) => sum + bytes, entries + BRACES_BYTES);
}

/** Calls that send a body, and those that may. */
const operations = (): readonly (readonly [method: Method, path: string, operation: Operation])[] =>
  Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => (method === 'get' ? [] : [[method.toUpperCase() as Method, path, operation] as const])),
  );
const pathFor = (path: string): string =>
  path
    .replace('{key}', app.adminKey)
    .replace(/\{(uid|ownerUid)\}/, ana.uid)
    .replaceAll(/\{\w+\}/g, 'x');
const ask = (method: Method, path: string, bytes: number) =>
  ana.send(method, pathFor(path), { body: JSON.stringify({ x: 'y'.repeat(bytes) }), headers: { 'Content-Type': 'application/json' } });

describe('a body of more than 16 kB', () => {
  test('is too large for every call but those whose texts can be that long', async () => {
    const accepting: string[] = [];
    for (const [method, path] of operations()) {
      const answer = await ask(method, path, LIMITS.shortJsonBytes);
      if (statusAndCode(answer) !== '413 request.too-large') accepting.push(`${method} ${path}`);
    }
    const long = operations().filter(
      ([, , { requestBody }]) => mostBytes(requestBody?.content['application/json'].schema ?? { type: 'object' }) > LIMITS.shortJsonBytes,
    );
    expect(accepting).toEqual(long.map(([method, path]) => `${method} ${path}`));
    expect(accepting).toEqual([
      'PUT /api/users/{uid}',
      'POST /api/projects/newProject',
      'PUT /api/projects/{projectId}',
      'POST /api/comments',
      'POST /api/comments/{id}/reply',
      'PUT /api/comments/{id}',
      'POST /api/todos',
      'POST /api/todos/{id}',
      'PUT /api/todos/{id}',
      'POST /api/contact',
    ]);
  });

  test('is refused by calls without a session as well', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ href: 'x'.repeat(LIMITS.shortJsonBytes) });
    expectRefused(await app.anonymous.send('POST', '/api/auth/visit', { body, headers }), 'request.too-large');
    expectRefused(await app.anonymous.send('POST', '/api/auth/visit', { body: body.slice(0, LIMITS.shortJsonBytes), headers }), 'request.broken-json');
  });

  test('may be a contact message in any script, however it is escaped, up to 72 kB', async () => {
    const text = '\\u3042'.repeat(LIMITS.contactMessage);
    const body = `{"firstName":"Ana","lastName":"Reyes","reply_to":"ana@example.org","message_content":"${text}"}`;
    const headers = { 'Content-Type': 'application/json' };
    bodyOf(await app.anonymous.send('POST', '/api/contact', { body, headers }));
    expectRefused(await app.anonymous.send('POST', '/api/contact', { body: body.padEnd(LIMITS.contactJsonBytes + 1), headers }), 'request.too-large');
  });
});

test('a body with more than 5,000 members is refused before it is hashed, also when the call ignores unknown fields', async () => {
  const unknown = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 1]));
  expectRefused(await ana.post('/api/comments', unknown(LIMITS.jsonMembers)), 'request.unknown-field', { field: 'f0' });
  expectRefused(await ana.post('/api/comments', unknown(LIMITS.jsonMembers + 1)), 'request.invalid');
  const user = Array.from({ length: LIMITS.jsonMembers }, () => 1);
  expectRefused(await ana.post('/api/comments', { projectId: 'x', user, submission: { content: 'x' } }), 'request.invalid');
});
