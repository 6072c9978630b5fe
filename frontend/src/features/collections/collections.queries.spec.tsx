import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { collectionCalled, personCalled } from '../../testing/people-and-projects';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { collectionsOf, useCollectionCommands } from './collections.queries';

const sketches = collectionCalled('Sketches', personCalled('Ana'), [], 5);
const many = Array.from({ length: 150 }, (_, at) => `p${at}`);

let server: StubServer;
let cache: QueryClient;
beforeEach(async () => {
  server = await startStubServer({
    'GET /api/collections/ana': () => ({ json: { collections: [sketches] } }),
    'POST /api/collections/ana': () => ({ status: 201, json: { newCollection: sketches } }),
    'PUT /api/collections/ana/:id': () => ({ json: { updatedCollection: sketches } }),
  });
  cache = new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } });
});
afterEach(() => server.close());

const commands = () =>
  renderHook(() => useCollectionCommands('ana'), { wrapper: ({ children }) => <QueryClientProvider client={cache}>{children}</QueryClientProvider> }).result
    .current;
/** The ids in each command, in the order sent. */
const sentIds = () =>
  server.requests.map(({ body }) => (body as { projectIds?: string[] }).projectIds ?? (body as { submission: { projects: string[] } }).submission.projects);

test('more projects than a call takes are sent in several', async () => {
  const { changeProjects } = commands();
  await act(() => changeProjects.mutateAsync({ collection: sketches, projectIds: many, willAdd: true }));
  expect(sentIds()).toEqual([many.slice(0, 100), many.slice(100)]);
});

test('also for a new collection', async () => {
  const { add } = commands();
  await act(() => add.mutateAsync({ title: 'Sketches', projectIds: many }));
  expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'PUT']);
  expect(sentIds()).toEqual([many.slice(0, 100), many.slice(100)]);
});

test('a collection that was removed already counts as removed', async () => {
  server.answer({ 'POST /api/collections/ana/:id': () => ({ status: 404, json: { code: 'collection.not-found', status: 404, detail: 'Gone.' } }) });
  await cache.query(collectionsOf('ana'));
  const { remove } = commands();
  await act(() => remove.mutateAsync(sketches));
  expect(cache.getQueryData(collectionsOf('ana').queryKey)).toEqual([]);
});
