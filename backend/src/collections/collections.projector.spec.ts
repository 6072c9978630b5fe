import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CollectionEvent } from '@roughmix/contracts/collections/collection.events.js';
import type { StoredEvent } from '../kernel/event.js';
import { type Documents, foldedBy } from '../testing/projected-documents.js';
import { storedEvent } from '../testing/stored-event.js';
import { openTestStores, type TestStores } from '../testing/test-stores.js';
import { collectionsProjector } from './collections.projector.js';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores.close());

const own = { ownerUid: 'ana' } as const;
const ofAna = (event: CollectionEvent, position: number): StoredEvent =>
  storedEvent(event, { stream: 'collections-ana', revision: position - 1, position, at: position * 1_000, actorUid: 'ana' });
const added = (collectionId: string, projectIds: readonly string[], position: number): StoredEvent =>
  ofAna({ type: 'CollectionAdded', data: { collectionId, ...own, title: 'Album', projectIds } }, position);
const edited = (change: { readonly to?: string; readonly added?: readonly string[]; readonly removed?: readonly string[] }, position: number): StoredEvent =>
  ofAna({ type: 'CollectionEdited', data: { collectionId: 'k1', ...own, from: 'Album', to: 'Album', added: [], removed: [], ...change } }, position);
const projectRemoved = (projectId: string, position: number): StoredEvent =>
  storedEvent({ type: 'ProjectRemoved', data: { abandoned: false } }, { stream: `project-${projectId}`, revision: 9, position, at: 99_000, actorUid: 'ana' });

/** The documents after the events, each delivered twice. */
const folded = (...events: readonly StoredEvent[]): Promise<Documents> => foldedBy(stores, collectionsProjector, [...events, ...events]);
const album = { collectionId: 'k1', ...own, title: 'Album', projectIds: ['p1', 'p2'], dateAdded: 1_000, dateModified: 1_000, addedAt: 1, position: 1 };

test('a collection holds its projects in the order added', async () => {
  const history = [added('k1', ['p1', 'p2'], 1), edited({ to: 'Demos', added: ['p3'], removed: ['p1'] }, 2), edited({ to: 'Demos', added: ['p1'] }, 3)];
  expect(await folded(...history)).toEqual({
    'collections/k1': { ...album, title: 'Demos', projectIds: ['p2', 'p3', 'p1'], dateModified: 3_000, position: 3, removedProjectId: null },
  });
});

test('a removed collection is gone', async () => {
  const removed = ofAna({ type: 'CollectionRemoved', data: { collectionId: 'k1', ...own, title: 'Album' } }, 2);
  expect(await folded(added('k1', [], 1), removed)).toEqual({ 'collections/k1': null });
});

test('a removed project leaves every collection that contains it, without changing when these were modified', async () => {
  const history = [added('k1', ['p1', 'p2'], 1), added('k2', ['p2'], 2), added('k3', ['p1'], 3), projectRemoved('p2', 4)];
  expect(await folded(...history)).toMatchObject({
    'collections/k1': { ...album, projectIds: ['p1'], position: 4, removedProjectId: 'p2' },
    'collections/k2': { projectIds: [], dateModified: 2_000, position: 4 },
    'collections/k3': { projectIds: ['p1'], position: 3, removedProjectId: null },
  });
  expect((await folded(...history, edited({ to: 'Demos' }, 5)))['collections/k1']).toMatchObject({ projectIds: ['p1'], position: 5, removedProjectId: null });
});

test('a project that was removed before it is added does not get in', async () => {
  const history = [added('k1', ['p1', 'p2'], 1), projectRemoved('p3', 2), edited({ to: 'Demos', added: ['p3', 'p4'] }, 3), added('k2', ['p3', 'p1'], 4)];
  expect(await folded(...history)).toMatchObject({
    'collections/k1': { title: 'Demos', projectIds: ['p1', 'p2', 'p4'], position: 3 },
    'collections/k2': { projectIds: ['p1'] },
  });
});

test("an erased user's collections are removed", async () => {
  const erased = (uid: string): StoredEvent => storedEvent({ type: 'UserErased', data: { uid } }, { stream: `user-${uid}`, revision: 1, position: 3 });
  const history = [added('k1', ['p1', 'p2'], 1), added('k2', [], 2)];
  expect(await folded(...history, erased('ana'))).toEqual({ 'collections/k1': null, 'collections/k2': null });
  expect((await folded(...history, erased('bob')))['collections/k1']).toEqual({ ...album, removedProjectId: null });
});
