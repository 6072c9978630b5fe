import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CollectionsAnswer, CollectionView, NewCollectionAnswer, UpdatedCollectionAnswer } from '@roughmix/contracts/collections/collection.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { aProjectWith } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused, statusAndCode } from '../testing/test-client.js';

let app: TestApp;
let ana: Person;
let bob: Person;
let ids: readonly string[];
/** Bob's: one that Ana is in, and one that she cannot see. */
let shared: string;
let hidden: string;

beforeAll(async () => {
  app = await startApp();
  [ana, bob] = await app.people('Ana', 'Bob');
  const created: string[] = [];
  for (let count = 0; count < 3; count += 1) created.push((await aProjectWith(ana)).projectId);
  ids = created;
  shared = (await aProjectWith(bob, { collaborators: [ana] })).projectId;
  hidden = (await aProjectWith(bob)).projectId;
});
afterAll(() => app.stop());

const path = (who: Person, id?: string): string => `/api/collections/${who.uid}${id === undefined ? '' : `/${id}`}`;
const submit = (submission: object, headers = {}): Promise<Answer<NewCollectionAnswer>> => ana.post(path(ana), { submission }, headers);
const add = async (submission: object = {}): Promise<CollectionView> => shown(bodyOf(await submit({ title: 'Album', ...submission })).newCollection);
const put = (id: string, body: object): Promise<Answer<UpdatedCollectionAnswer>> => ana.put(path(ana, id), body);
const edit = async (id: string, body: object): Promise<CollectionView> => shown(bodyOf(await put(id, body)).updatedCollection);
const list = async (who = ana): Promise<readonly CollectionView[]> => bodyOf(await who.get<CollectionsAnswer>(path(who))).collections;
const found = async (id: string): Promise<CollectionView | undefined> => (await list()).find(({ _id }) => _id === id);
function shown(view: CollectionView | null): CollectionView {
  if (view === null) throw new Error('there is no collection');
  return view;
}

test('a collection is added with its projects, once for each command', async () => {
  const key = { 'Idempotency-Key': randomUUID() };
  const sent = { title: '  Side\none ', projects: [ids[1], ids[0], ids[1]], type: 'collection', owner: bob.uid, userPermissions: { read: [], write: [] } };
  const [first, second] = [await submit(sent, key), await submit(sent, key)];
  expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true']);
  expect(second.body).toEqual(first.body);
  const view = shown(first.body.newCollection);
  expect(view).toEqual({
    _id: expect.stringMatching(/^\w{22}$/),
    type: 'collection',
    title: 'Side one',
    projects: [ids[1], ids[0]],
    owner: expect.objectContaining({ uid: ana.uid, username: 'Ana Tester' }),
    userPermissions: { read: [], write: [] },
    dateAdded: expect.any(Number),
    dateModified: view.dateAdded,
    position: Number(first.headers.get('x-position')),
  });
  expect((await list()).filter(({ title }) => title === 'Side one')).toEqual([view]);
});

test('collections are listed oldest first, to their owner only, and the guest has none', async () => {
  const [one, two] = [await add({ title: 'Z' }), await add({ title: 'A' })];
  expect((await list()).slice(-2)).toEqual([one, two]);
  expect([await list(bob), await list(await app.guest())]).toEqual([[], []]);
  expectRefused(await bob.get(path(ana)), 'actor.mismatch');
});

test.each<readonly [what: string, body: () => object, expected: string]>([
  ['no title', () => ({ submission: {} }), '400 request.invalid'],
  ['an empty title', () => ({ submission: { title: ' \n ' } }), '400 request.invalid'],
  ['null as projects', () => ({ submission: { title: 'x', projects: null } }), '400 request.invalid'],
  ['more than 100 projects', () => ({ submission: { title: 'x', projects: Array.from({ length: 101 }, () => ids[0]) } }), '400 request.invalid'],
  ['an unknown field', () => ({ submission: { title: 'x', colour: 'red' } }), '400 request.unknown-field'],
  ["someone else's project", () => ({ submission: { title: 'x', projects: [ids[0], shared] } }), '403 project.not-allowed'],
  ['a project that the user cannot see', () => ({ submission: { title: 'x', projects: [ids[0], hidden] } }), '404 project.not-found'],
])('%s is refused, and no collection is added', async (_what, body, expected) => {
  const before = await list();
  expect(statusAndCode(await ana.post(path(ana), body()))).toBe(expected);
  expect(await list()).toEqual(before);
});

test('a title has at most 80 characters', async () => {
  expectRefused(await submit({ title: 'x'.repeat(81) }), 'limit.title', { limit: 80, field: 'title' });
  expect((await add({ title: 'x'.repeat(80) })).title).toHaveLength(80);
});

describe('editing', () => {
  test('changes the title, adds projects and takes them out', async () => {
    const { _id, dateAdded } = await add({ projects: [ids[0]] });
    const renamed = await edit(_id, { title: 'Demos' });
    expect(renamed).toMatchObject({ _id, title: 'Demos', projects: [ids[0]], dateAdded });
    expect((await edit(_id, { projectIds: [ids[2], ids[0], ids[1], ids[2]], willAdd: true })).projects).toEqual([ids[0], ids[2], ids[1]]);
    const both = await edit(_id, { title: 'Singles', projectIds: [ids[0], ids[2], shared, hidden, 'nothing'], willAdd: false });
    expect(both).toMatchObject({ title: 'Singles', projects: [ids[1]] });
    expect(await found(_id)).toEqual(both);
  });

  test('without a change answers with the collection as it is', async () => {
    const before = await add({ projects: [ids[0]] });
    for (const body of [
      {},
      { title: 'Album' },
      { projectIds: [ids[0]], willAdd: true },
      { projectIds: [ids[1]], willAdd: false },
      { projectIds: [], willAdd: true },
    ]) {
      const answer = await put(before._id, body);
      expect([answer.status, answer.headers.get('x-position'), answer.body]).toEqual([200, null, { updatedCollection: before }]);
    }
  });

  test('is refused as a whole when one project cannot be added', async () => {
    const before = await add();
    expectRefused(await put(before._id, { title: 'New', projectIds: [ids[0], shared], willAdd: true }), 'project.not-allowed');
    expectRefused(await put(before._id, { title: 'New', projectIds: [ids[0], hidden], willAdd: true }), 'project.not-found');
    expectRefused(await put('nothing', { projectIds: [hidden], willAdd: true }), 'collection.not-found');
    expect(await found(before._id)).toEqual(before);
  });

  test.each<readonly [what: string, body: object]>([
    ['projectIds without willAdd', { projectIds: [] }],
    ['willAdd without projectIds', { willAdd: true }],
    ['null as willAdd', { projectIds: [], willAdd: null }],
    ['an empty title', { title: ' ' }],
    ['more than 100 projects', { projectIds: Array.from({ length: 101 }, () => 'x'), willAdd: false }],
  ])('with %s is not valid', async (_what, body) => {
    expect(statusAndCode(await put((await add())._id, body))).toBe('400 request.invalid');
  });
});

test('a project is taken out of all collections of the caller', async () => {
  const [one, two, three] = [await add({ projects: [ids[0], ids[1]] }), await add({ projects: [ids[1]] }), await add({ projects: [ids[2]] })];
  const { collections } = bodyOf(await ana.put<CollectionsAnswer>(`/api/collections/removeProject/${ids[1]}`, { uid: ana.uid }));
  expect(collections).toEqual(await list());
  expect(collections.slice(-3).map(({ _id, projects }) => [_id, projects])).toEqual([
    [one._id, [ids[0]]],
    [two._id, []],
    [three._id, [ids[2]]],
  ]);
  expect(collections.slice(-3).map(({ position }) => position > three.position)).toEqual([true, true, false]);
  expect(bodyOf(await ana.put(`/api/collections/removeProject/${shared}`))).toEqual({ collections });
  expectRefused(await ana.put(`/api/collections/removeProject/${hidden}`), 'project.not-found');
});

test('a removed collection is gone, and its projects stay', async () => {
  const { _id } = await add({ projects: [ids[0]] });
  const key = { 'Idempotency-Key': randomUUID() };
  const remove = (headers = {}): Promise<Answer> => ana.post(path(ana, _id), {}, headers);
  const [first, again] = [await remove(key), await remove(key)];
  expect([first.status, first.body, again.body]).toEqual([200, { success: true }, { success: true }]);
  expectRefused(await remove(), 'collection.not-found');
  expectRefused(await put(_id, { title: 'x' }), 'collection.not-found');
  expect(await found(_id)).toBeUndefined();
  expect((await ana.get(`/api/projects/${ana.uid}/${ids[0]}`)).status).toBe(200);
});

test('a repeated command answers with a null view after the collection was removed', async () => {
  const key = { 'Idempotency-Key': randomUUID() };
  const { newCollection } = bodyOf(await submit({ title: 'Album' }, key));
  bodyOf(await ana.post(path(ana, shown(newCollection)._id)));
  const again = await submit({ title: 'Album' }, key);
  expect([again.status, again.body]).toEqual([201, { newCollection: null }]);
});

test("a removed project leaves its owner's collections, which shows in the next answer", async () => {
  const { projectId } = await aProjectWith(ana);
  const before = await add({ projects: [ids[0], projectId] });
  const { headers } = await ana.post(`/api/projects/removeProject/${projectId}`);
  const after = await found(before._id);
  expect(after).toEqual({ ...before, projects: [ids[0]], position: Number(headers.get('x-position')) });
  expect(bodyOf(await put(before._id, { projectIds: [projectId], willAdd: false })).updatedCollection).toEqual(after);
});

test('a project that is added while it is being removed does not stay in', async () => {
  const { projectId } = await aProjectWith(ana);
  const { _id } = await add();
  await Promise.all([ana.post(`/api/projects/removeProject/${projectId}`), put(_id, { projectIds: [projectId], willAdd: true })]);
  expect(await found(_id)).toMatchObject({ projects: [] });
});
