import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApp, type TestApp } from '../../testing/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<Record<string, object>>;
}
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly required?: readonly string[] }>> };
}

const document = async (): Promise<OpenApi> => (await (await fetch(`${app.url}/docs/openapi.json`)).json()) as OpenApi;

test('OpenAPI documents every path parameter and the refusals of each operation', async () => {
  const { paths } = await document();
  for (const [path, methods] of Object.entries(paths)) {
    const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    for (const operation of Object.values(methods)) {
      const named = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      expect([path, new Set(named)]).toEqual([path, new Set(parts)]);
      expect(Object.keys(operation.responses)).toContain('default');
    }
  }
});

const FILES = ['/api/media/{versionId}/audio', '/api/media/{versionId}/download', '/api/media/{versionId}/peaks'].concat([
  '/api/comments/{commentId}/image',
  '/api/users/{uid}/images/{file}',
  '/api/users/{uid}/photo',
]);
const headersOfQuery = (path: string): readonly string[] => {
  if (FILES.includes(path)) return [];
  return path === '/api/projects/{uid}' ? ['X-After-Position', 'Prefer'] : ['X-After-Position'];
};

test('commands document Idempotency-Key and Prefer, queries X-After-Position unless they send a file, the list of projects Prefer', async () => {
  const { paths } = await document();
  for (const [path, methods] of Object.entries(paths).filter(([each]) => each.startsWith('/api/'))) {
    for (const [method, { parameters }] of Object.entries(methods)) {
      const headers = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
      expect([path, method, headers]).toEqual([path, method, method !== 'get' ? ['Idempotency-Key', 'Prefer'] : headersOfQuery(path)]);
    }
  }
});

test('bodies are the classes of contracts', async () => {
  const { paths, components } = await document();
  expect(paths['/api/regions']?.['post']?.requestBody?.content['application/json']?.schema).toEqual({ $ref: '#/components/schemas/NewRegionBody' });
  expect(paths['/api/comments']?.['post']?.requestBody?.content['application/json']?.schema).toEqual({
    oneOf: [{ $ref: '#/components/schemas/NewCommentBody' }, { $ref: '#/components/schemas/NewImageCommentBody' }],
  });
  expect(components.schemas['NewRegionBody']?.required).toEqual(['projectId', 'submission']);
});

test('the documentation page is served', async () => {
  const page = await fetch(`${app.url}/docs`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
});
