import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { CollectionPush } from '@roughmix/contracts/live.js';
import type { CollectionView } from '@roughmix/contracts/collections/collection.view.js';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { handle } from '../../shared/live/handlers';
import { collectionCalled, personCalled } from '../../testing/people-and-projects';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { collectionsLive } from './collection.live';
import { collectionsOf } from './collections.queries';

const ana = personCalled('Ana');
const viewOf = (_id: string, title: string, position: number): CollectionView => ({ ...collectionCalled(title, ana, [], position), _id });
const facts = { actorUid: 'ana', commandId: null } as const;
const edited: CollectionPush = { type: 'CollectionEdited', ...facts, position: 7, view: viewOf('k1', 'Demos', 7) };
const removed: CollectionPush = { type: 'CollectionRemoved', ...facts, position: 8, ids: ['k1'] };

let server: StubServer;
let cache: QueryClient;
beforeEach(async () => {
  server = await startStubServer({ 'GET /api/collections/ana': () => ({ json: { collections: [viewOf('k1', 'Sketches', 5)] } }) });
  cache = new QueryClient();
});
afterEach(() => server.close());

const receive = (push: CollectionPush) => handle(collectionsLive('ana').handlers, cache, push);
const titles = () => cache.getQueryData(collectionsOf('ana').queryKey)?.map(({ title }) => title);

test('changes in another tab reach the list', async () => {
  await cache.query(collectionsOf('ana'));
  receive({ type: 'CollectionAdded', ...facts, position: 6, view: viewOf('k2', 'Album', 6) });
  receive(edited);
  expect(titles()).toEqual(['Demos', 'Album']);
  receive(removed);
  expect(titles()).toEqual(['Album']);
  receive(edited);
  expect(titles()).toEqual(['Album']);
});

test('a list that was read before a change is read again', async () => {
  let release = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => (release = resolve));
  server.answer({
    'GET /api/collections/ana': async () => {
      await isHeld;
      return { json: { collections: [viewOf('k1', 'Sketches', 5)] } };
    },
  });
  const stop = new QueryObserver(cache, collectionsOf('ana')).subscribe(() => undefined);
  await waitFor(() => expect(server.requests).toHaveLength(1));
  server.answer({ 'GET /api/collections/ana': () => ({ json: { collections: [viewOf('k1', 'Demos', 7)] } }) });
  receive(edited);
  await waitFor(() => expect(titles()).toEqual(['Demos']));
  release();
  await server.settledRequests();
  expect(titles()).toEqual(['Demos']);
  stop();
});

test('an answer made before a removal does not bring the collection back', async () => {
  await cache.query(collectionsOf('ana'));
  receive(removed);
  await cache.query(collectionsOf('ana'));
  expect(titles()).toEqual([]);
});
