import { expect, test } from '@jest/globals';
import type { CollectionEvent } from '@roughmix/contracts/collections/collection.events.js';
import type { Stored } from '../kernel/decider.js';
import { refuse } from '../kernel/refusal.js';
import { storedEvent } from '../testing/stored-event.js';
import { type CollectionCommand, collectionDecider, type CollectionsState } from './collection.decider.js';

const history = (...events: readonly CollectionEvent[]): CollectionsState =>
  events
    .map((event, at) => storedEvent(event, { stream: 'collections-ana', revision: at, position: at + 1 }) as Stored<CollectionEvent>)
    .reduce((state, event) => collectionDecider.evolve(state, event), collectionDecider.initial());
const decide = (command: CollectionCommand, state: CollectionsState, uid: string | null = 'ana') => collectionDecider.decide(command, state, { uid });

const own = { ownerUid: 'ana' } as const;
const added = (collectionId: string, projectIds: readonly string[] = []): CollectionEvent => ({
  type: 'CollectionAdded',
  data: { collectionId, ...own, title: 'Album', projectIds },
});
const edited = (collectionId: string, change: { to?: string; added?: readonly string[]; removed?: readonly string[] }): CollectionEvent => ({
  type: 'CollectionEdited',
  data: { collectionId, ...own, from: 'Album', to: 'Album', added: [], removed: [], ...change },
});
const edit = (collectionId: string, change: { title?: string; added?: readonly string[]; removed?: readonly string[] }): CollectionCommand => ({
  type: 'EditCollection',
  data: { collectionId, added: [], removed: [], ...change },
});
const two = history(added('k1', ['p1', 'p2']), added('k2', ['p2']));

test('a collection is added with its projects', () => {
  const data = { collectionId: 'k3', title: 'Album', projectIds: ['p1'] };
  expect(decide({ type: 'AddCollection', data }, two)).toEqual([added('k3', ['p1'])]);
  expect(decide({ type: 'AddCollection', data: { ...data, projectIds: ['p2', 'p1', 'p2'] } }, two)).toEqual([added('k3', ['p2', 'p1'])]);
  expect(decide({ type: 'AddCollection', data: { ...data, collectionId: 'k2' } }, two)).toEqual([]);
});

test('a user has at most 200 collections, not counting removed ones', () => {
  const add: CollectionCommand = { type: 'AddCollection', data: { collectionId: 'new', title: 'Album', projectIds: [] } };
  const full = Array.from({ length: 200 }, (_, at) => added(`k${at}`));
  expect(decide(add, history(...full))).toEqual(refuse('collection.too-many', { limit: 200 }));
  expect(decide(add, history(...full, { type: 'CollectionRemoved', data: { collectionId: 'k7', ...own, title: 'Album' } }))).toEqual([added('new')]);
});

test.each<readonly [what: string, command: CollectionCommand, expected: ReturnType<typeof decide>]>([
  ['a new title', edit('k1', { title: 'Demos' }), [edited('k1', { to: 'Demos' })]],
  ['the same title', edit('k1', { title: 'Album' }), []],
  ['new projects, in the order given', edit('k1', { added: ['p4', 'p2', 'p3'] }), [edited('k1', { added: ['p4', 'p3'] })]],
  ['a new project that is named twice', edit('k1', { added: ['p4', 'p4'] }), [edited('k1', { added: ['p4'] })]],
  ['only projects that it contains', edit('k1', { added: ['p1', 'p2'] }), []],
  ['projects to take out, some of them not in it', edit('k1', { removed: ['p9', 'p2'] }), [edited('k1', { removed: ['p2'] })]],
  ['only projects to take out that are not in it', edit('k1', { removed: ['p9'] }), []],
  ['a title and projects', edit('k2', { title: 'Demos', added: ['p1'] }), [edited('k2', { to: 'Demos', added: ['p1'] })]],
  ['nothing', edit('k1', {}), []],
])('one event for each edit that changes something: %s', (_what, command, expected) => {
  expect(decide(command, two)).toEqual(expected);
});

test('a project is taken out of every collection that contains it', () => {
  const takeOut = (projectId: string): CollectionCommand => ({ type: 'TakeOutProject', data: { projectId } });
  expect(decide(takeOut('p2'), two)).toEqual([edited('k1', { removed: ['p2'] }), edited('k2', { removed: ['p2'] })]);
  expect(decide(takeOut('p1'), two)).toEqual([edited('k1', { removed: ['p1'] })]);
  expect(decide(takeOut('p9'), two)).toEqual([]);
});

test('a removed collection cannot be edited or removed again', () => {
  const remove = (collectionId: string): CollectionCommand => ({ type: 'RemoveCollection', data: { collectionId } });
  const removed: CollectionEvent = { type: 'CollectionRemoved', data: { collectionId: 'k1', ...own, title: 'Demos' } };
  expect(decide(remove('k1'), history(added('k1'), edited('k1', { to: 'Demos' })))).toEqual([removed]);
  for (const command of [remove('k1'), edit('k1', { title: 'New' }), remove('constructor'), edit('constructor', { title: 'New' })]) {
    expect(decide(command, history(added('k1'), removed))).toEqual(refuse('collection.not-found'));
  }
});

test('the system has no collections', () => {
  expect(decide(edit('k1', { title: 'Demos' }), two, null)).toEqual(refuse('actor.mismatch'));
});

test('the state is plain JSON', () => {
  const state = history(added('k1', ['p1']), edited('k1', { to: 'Demos', added: ['p2'], removed: ['p1'] }));
  expect(JSON.parse(JSON.stringify(state))).toEqual({ collections: { k1: { title: 'Demos', projectIds: ['p2'] } } });
});
