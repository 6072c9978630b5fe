import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CollectionView, NewCollectionAnswer } from '@roughmix/contracts/collections/collection.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { aProjectWith } from '../testing/project-over-http.js';
import { type Answer, bodyOf } from '../testing/test-client.js';
import { receivedDuring, TestSockets } from '../testing/test-sockets.js';
import type { ReceivedMessage, TestSocket } from '../testing/test-socket.js';

const listening = new TestSockets();
let app: TestApp;
let ana: Person;
let projectId: string;
let own: TestSocket;
let bobs: TestSocket;

beforeAll(async () => {
  app = await startApp();
  const [one, bob] = await app.people('Ana', 'Bob');
  ana = one;
  ({ projectId } = await aProjectWith(ana, { collaborators: [bob] }));
  [own, bobs] = [await listening.socket(ana, projectId), await listening.socket(bob, projectId)];
});
afterAll(() => listening.stop(app));

const path = (id = ''): string => `/api/collections/${ana.uid}${id && `/${id}`}`;
const add = async (projects: readonly string[] = []): Promise<CollectionView> => {
  const { newCollection } = bodyOf(await ana.post<NewCollectionAnswer>(path(), { submission: { title: 'Album', projects } }));
  if (newCollection === null) throw new Error('there is no collection');
  return newCollection;
};
const facts = ({ headers }: Answer, position = Number(headers.get('x-position'))): object => ({
  actorUid: ana.uid,
  commandId: headers.get('x-command-id'),
  position,
});
const collectionsIn = (received: readonly ReceivedMessage[] | undefined): readonly unknown[] =>
  (received ?? []).filter(({ channel }) => channel === 'collections').map(({ body }) => body);

/** What Ana receives about collections during a call; Bob, in the same project, must receive nothing of them. */
async function pushed(call: () => Promise<Answer>): Promise<{ readonly pushes: readonly unknown[]; readonly answer: Answer }> {
  const { received, answer } = await receivedDuring(ana, projectId, [own, bobs], call);
  expect(collectionsIn(received[1])).toEqual([]);
  if (answer === null) throw new Error('there was no call');
  return { pushes: collectionsIn(received[0]), answer };
}

test("every change is pushed to the owner's own sockets, without a project", async () => {
  const added = await pushed(() => ana.post(path(), { submission: { title: 'Album' } }));
  const view = (added.answer.body as NewCollectionAnswer).newCollection;
  expect(added.pushes).toEqual([{ type: 'CollectionAdded', ...facts(added.answer), view }]);
  const id = view?._id ?? '';
  const edited = await pushed(() => ana.put(path(id), { title: 'Demos', projectIds: [projectId], willAdd: true }));
  expect(edited.pushes).toEqual([
    { type: 'CollectionEdited', ...facts(edited.answer), view: (edited.answer.body as { updatedCollection: unknown }).updatedCollection },
  ]);
  const removed = await pushed(() => ana.post(path(id)));
  expect(removed.pushes).toEqual([{ type: 'CollectionRemoved', ...facts(removed.answer), ids: [id] }]);
});

test('taking a project out of all collections pushes each at the position of its own event', async () => {
  const [one, two] = [await add([projectId]), await add([projectId])];
  const { pushes, answer } = await pushed(() => ana.put(`/api/collections/removeProject/${projectId}`));
  const last = Number(answer.headers.get('x-position'));
  expect(pushes).toMatchObject([
    { type: 'CollectionEdited', ...facts(answer, last - 1), view: { _id: one._id, projects: [], position: last - 1 } },
    { type: 'CollectionEdited', ...facts(answer, last), view: { _id: two._id, projects: [], position: last } },
  ]);
});

test('removing a project pushes each collection that contained it, by the same actor', async () => {
  const { projectId: removed } = await aProjectWith(ana);
  const [one, two] = [await add([removed, projectId]), await add([removed])];
  await add([projectId]);
  const { pushes, answer } = await pushed(() => ana.post(`/api/projects/removeProject/${removed}`));
  const { position } = facts(answer) as { position: number };
  const edited = (before: CollectionView, projects: readonly string[]) => ({
    type: 'CollectionEdited',
    ...facts(answer),
    view: { ...before, projects, position },
  });
  expect(pushes).toHaveLength(2);
  expect(pushes).toEqual(expect.arrayContaining([edited(one, [projectId]), edited(two, [])]));
});

test('an owner who returns gets what they missed, removed projects included', async () => {
  const { projectId: removed } = await aProjectWith(ana);
  const [gone, kept, edited] = [await add(), await add([removed]), await add()];
  const left = await listening.socket(ana);
  const before = await left.ask('login');
  left.close();
  bodyOf(await ana.post(path(gone._id)));
  bodyOf(await ana.post(`/api/projects/removeProject/${removed}`));
  bodyOf(await ana.put(path(edited._id), { title: 'Demos' }));
  await receivedDuring(ana, projectId, [own]);
  const back = await listening.socket(ana);
  expect(await back.ask('login', { after: before.ok ? before.position : -1 })).toEqual({ ok: true, position: expect.any(Number), log: expect.any(String) });
  expect(collectionsIn(back.received)).toMatchObject([
    { type: 'CollectionRemoved', ids: [gone._id] },
    { type: 'CollectionEdited', view: { _id: kept._id, projects: [] } },
    { type: 'CollectionEdited', view: { _id: edited._id, title: 'Demos' } },
  ]);
});
