import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TODO_PATHS } from '@roughmix/contracts/todos/todo.paths.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { analysed, aProjectWith, type CreatedProject, region, todo, todoReply } from '../testing/project-over-http.js';
import type { Answer } from '../testing/test-client.js';
import { channelsAndTypes, receivedDuring, TestSockets } from '../testing/test-sockets.js';
import type { ReceivedMessage, TestSocket } from '../testing/test-socket.js';

const listening = new TestSockets();
let app: TestApp;
let ana: Person;
let bob: Person;
let created: CreatedProject;
let member: TestSocket;
let visitor: TestSocket;

beforeAll(async () => {
  app = await startApp();
  const [one, two, uma] = await app.people('Ana', 'Bob', 'Uma');
  [ana, bob] = [one, two];
  created = await aProjectWith(ana, { collaborators: [bob], isPublic: true });
  await analysed(ana, created.versionId);
  member = await listening.socket(bob, created.projectId);
  visitor = await listening.socket(uma, created.projectId);
});
afterAll(() => listening.stop(app));

/** What members and visitors alike receive from a call. */
async function during(call: () => Promise<Answer>): Promise<{ readonly received: readonly ReceivedMessage[]; readonly answer: Answer }> {
  const { received, answer } = await receivedDuring(ana, created.projectId, [member, visitor], call);
  const [toMember = [], toVisitor = []] = received;
  if (answer === null) throw new Error('nothing was called');
  expect(toVisitor).toEqual(toMember);
  return { received: toMember, answer };
}
const views = (received: readonly ReceivedMessage[]): readonly unknown[] => received.map(({ body }) => body.view);
const submission = (facts: object): object => ({ projectId: created.projectId, submission: facts });

test('a new and an edited todo are pushed as the answer shows them, with the actor and the command', async () => {
  const added = await during(() => bob.post(TODO_PATHS.add, submission({ content: 'Tune the snare' })));
  const { newTodo } = added.answer.body as { readonly newTodo: TodoView };
  const { headers } = added.answer;
  const facts = { projectId: created.projectId, actorUid: bob.uid, commandId: headers.get('x-command-id'), position: Number(headers.get('x-position')) };
  expect(added.received.map(({ channel, body }) => ({ channel, ...body }))).toEqual([{ channel: 'todos', type: 'TodoAdded', ...facts, view: newTodo }]);
  const edited = await during(() => bob.put(TODO_PATHS.edit(newTodo._id), { submission: { content: 'Softer', dueDate: 1 } }));
  expect(channelsAndTypes(edited.received)).toEqual(['todos TodoEdited']);
  expect(views(edited.received)).toEqual([(edited.answer.body as { updatedTodo: TodoView }).updatedTodo]);
});

test('each completed todo is pushed at the position of its own event', async () => {
  const ids = [(await todo(bob, created.projectId))._id, (await todo(ana, created.projectId))._id];
  const { received, answer } = await during(() => bob.put(TODO_PATHS.complete(ids), {}));
  const { completedTodos } = answer.body as { readonly completedTodos: Readonly<Record<string, TodoView>> };
  expect(channelsAndTypes(received)).toEqual(['todos TodoCompleted', 'todos TodoCompleted']);
  expect(views(received)).toEqual(ids.map((id) => completedTodos[id]));
  const last = Number(answer.headers.get('x-position'));
  expect(received.map(({ body }) => body.position)).toEqual([last - 1, last]);
});

test('a reply and its removal are pushed with the todo that has it', async () => {
  const one = await todo(bob, created.projectId);
  const added = await during(() => ana.post(TODO_PATHS.reply(one._id), submission({ content: 'On it' })));
  const { newTodo, updatedParentTodo } = added.answer.body as { readonly newTodo: TodoView; readonly updatedParentTodo: TodoView };
  expect(channelsAndTypes(added.received)).toEqual(['todos TodoReplyAdded', 'todos TodoEdited']);
  expect(views(added.received)).toEqual([newTodo, updatedParentTodo]);
  const removed = await during(() => ana.post(TODO_PATHS.remove(newTodo._id), {}));
  expect(channelsAndTypes(removed.received)).toEqual(['todos TodoReplyRemoved', 'todos TodoEdited']);
  expect(removed.received[0]?.body).toMatchObject({ ids: [newTodo._id] });
  expect(removed.received[1]?.body.view).toMatchObject({ _id: one._id, replyIds: [], edited: null });
});

describe('with a tagged region', () => {
  test('adding, retagging and removing a todo push the region; the removal names the replies', async () => {
    const drawn = await region(ana, created);
    const taggedRegions = [{ _id: drawn._id }];
    const added = await during(() => bob.post(TODO_PATHS.add, submission({ content: 'x', taggedRegions })));
    const { newTodo } = added.answer.body as { readonly newTodo: TodoView };
    expect(channelsAndTypes(added.received)).toEqual(['todos TodoAdded', 'regions RegionEdited']);
    expect(added.received[1]?.body.view).toMatchObject({ _id: drawn._id, todoIds: [newTodo._id] });
    const dueOnly = await during(() => bob.put(TODO_PATHS.edit(newTodo._id), { submission: { dueDate: 1 } }));
    expect(channelsAndTypes(dueOnly.received)).toEqual(['todos TodoEdited']);
    const reply = await todoReply(ana, created.projectId, newTodo._id, { taggedRegions });
    const removed = await during(() => bob.post(TODO_PATHS.remove(newTodo._id), {}));
    expect(channelsAndTypes(removed.received)).toEqual(['todos TodoRemoved', 'regions RegionEdited']);
    expect(removed.received[0]?.body).toMatchObject({ ids: [newTodo._id, reply._id] });
    expect(removed.received[1]?.body.view).toMatchObject({ _id: drawn._id, todoIds: [] });
  });

  test('changing or removing the region pushes its todos and replies, which are not edited by it', async () => {
    const drawn = await region(ana, created);
    const taggedRegions = [{ _id: drawn._id }];
    const one = await todo(bob, created.projectId, { taggedRegions });
    const reply = await todoReply(ana, created.projectId, one._id, { taggedRegions });
    const changed = await during(() => ana.put(`/api/regions/${drawn._id}`, { submission: { tag: 'style' } }));
    expect(channelsAndTypes(changed.received)).toEqual(['todos TodoEdited', 'todos TodoEdited', 'regions RegionEdited']);
    expect(views(changed.received).slice(0, 2)).toMatchObject([one, reply].map(({ _id }) => ({ _id, edited: null, taggedRegions: [{ tag: 'style' }] })));
    const removed = await during(() => ana.post(`/api/regions/${drawn._id}`, { projectId: created.projectId }));
    expect(channelsAndTypes(removed.received)).toEqual(['todos TodoEdited', 'todos TodoEdited', 'regions RegionRemoved']);
    expect(views(removed.received).slice(0, 2)).toMatchObject([one, reply].map(({ _id }) => ({ _id, edited: null, taggedRegions: [] })));
  });

  test('a changed region is pushed as a child before the todo, and goes with it', async () => {
    const drawn = await region(ana, created);
    const added = await during(() => bob.post(TODO_PATHS.add, submission({ content: 'x', taggedRegions: [{ _id: drawn._id, end: 0.9 }] })));
    const { newTodo } = added.answer.body as { readonly newTodo: TodoView };
    expect(channelsAndTypes(added.received)).toEqual(['regions RegionAdded', 'regions RegionEdited', 'todos TodoAdded', 'regions RegionEdited']);
    expect(newTodo.taggedRegions).toMatchObject([{ end: 0.9, childRegion: newTodo.taggedRegions[0]?._id }]);
    const removed = await during(() => bob.post(TODO_PATHS.remove(newTodo._id), {}));
    expect(channelsAndTypes(removed.received)).toEqual(['todos TodoRemoved', 'regions RegionRemoved', 'regions RegionEdited']);
  });
});

test('a member who returns gets the todos they missed', async () => {
  const left = await listening.socket(bob);
  const joined = await left.join(created.projectId);
  left.close();
  const { _id } = await todo(ana, created.projectId);
  await ana.put(TODO_PATHS.complete([_id]), {});
  const again = await listening.socket(bob);
  await again.ask('in-project', { projectId: created.projectId, after: joined.ok ? joined.position : -1 });
  const missed = again.received.filter(({ channel }) => channel === 'todos');
  expect(channelsAndTypes(missed)).toEqual(['todos TodoAdded', 'todos TodoCompleted']);
});
