import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ProjectPageAnswer } from '@roughmix/contracts/comments/comment.view.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { addVersion, aProjectWith, type CreatedProject, todo, todoReply } from '../testing/project-over-http.js';
import { bodyOf, expectRefused, keysOf } from '../testing/test-client.js';
import { active, complete, completed, edit, listed } from '../testing/todo-calls.js';

let app: TestApp;
let ana: Person;
let bob: Person;
let cleo: Person;
let vic: Person;
let uma: Person;
let guest: Person;
let created: CreatedProject;
let other: CreatedProject;

beforeAll(async () => {
  app = await startApp();
  [ana, bob, cleo, vic, uma] = await app.people('Ana', 'Bob', 'Cleo', 'Vic', 'Uma');
  guest = await app.guest();
  created = await aProjectWith(ana, { viewers: [`${cleo.uid}-1`, `${vic.uid}-0`], collaborators: [bob], isPublic: true });
  other = await aProjectWith(bob);
});
afterAll(() => app.stop());

const page = async (who: Person): Promise<ProjectPageAnswer['data']> =>
  bodyOf(await who.get<ProjectPageAnswer>(`/api/projects/${created.projectId}/visitor/${who.uid}`)).data;

test('completing at the same time as another member answers both with the completed todo', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { _id } = await todo(bob, created.projectId);
    const answers = await Promise.all([bob, ana].map((who) => complete(who, [_id])));
    const seen = answers.map(({ status, body }) => [status, body.completedTodos[_id]?.completed, listed(body.updatedProject, _id)]);
    expect(seen).toEqual([bob, ana].map(() => [200, true, [[], [_id]]]));
    expect(answers.filter(({ headers }) => headers.get('x-position') === null)).toHaveLength(1);
  }
});

describe('completing', () => {
  test('lists todos in the order of the request, under the current version', async () => {
    const [one, two, three] = [await todo(bob, created.projectId), await todo(ana, created.projectId), await todo(bob, created.projectId)];
    const answer = await complete(bob, [two._id, one._id]);
    expect([answer.status, keysOf(answer.body), keysOf(answer.body.completedTodos)]).toEqual([
      200,
      ['completedTodos', 'updatedProject'],
      [two._id, one._id].toSorted(),
    ]);
    const done = answer.body.completedTodos[one._id] as TodoView;
    expect(done).toEqual({
      ...one,
      completed: true,
      completedBy: expect.objectContaining({ uid: bob.uid }),
      dateCompleted: done.dateCompleted,
      dateModified: done.dateCompleted,
      completedTodosVersionId: created.versionId,
      completedTodosVersion: { majorUpdate: 1, minorUpdate: 0 },
      position: Number(answer.headers.get('x-position')),
    });
    expect(done.dateCompleted).toBeGreaterThanOrEqual(one.dateAdded);
    expect(listed(answer.body.updatedProject, one._id, two._id, three._id)).toEqual([[three._id], [two._id, one._id]]);
    const version = answer.body.updatedProject.versions.find(({ _id }) => _id === created.versionId);
    expect(version?.completedTodos.slice(-2)).toEqual([two._id, one._id]);
    expect(keysOf(await active(uma, one._id, three._id))).toEqual([three._id]);
    expect(keysOf(await completed(uma, one._id, three._id))).toEqual([one._id]);
    const again = await complete(ana, [one._id]);
    expect([again.status, again.headers.get('x-position'), again.body.completedTodos[one._id]]).toEqual([200, null, done]);
  });

  test('under a named version keeps its number when that version is removed', async () => {
    const second = await addVersion(ana, created.projectId);
    const [one, two] = [await todo(bob, created.projectId), await todo(bob, created.projectId)];
    const answer = bodyOf(await complete(bob, [one._id], { completedTodosVersionId: created.versionId, completed: true, completedBy: 'x', dateCompleted: 1 }));
    expect(answer.completedTodos[one._id]).toMatchObject({ completedTodosVersionId: created.versionId, completedBy: { uid: bob.uid } });
    const current = bodyOf(await complete(bob, [two._id], { completedTodosVersionId: null }));
    const number = { majorUpdate: 1, minorUpdate: 1 };
    expect(current.completedTodos[two._id]).toMatchObject({ completedTodosVersionId: second._id, completedTodosVersion: number });
    bodyOf(await ana.post(`/api/media/${second._id}`, { projectId: created.projectId }));
    expect((await completed(uma, two._id))[two._id]).toMatchObject({ completedTodosVersionId: second._id, completedTodosVersion: number });
    expect(listed((await page(uma)).project, two._id)).toEqual([[], [two._id]]);
    expectRefused(await complete(bob, [(await todo(bob, created.projectId))._id], { completedTodosVersionId: second._id }), 'version.not-found');
  });

  test('is all or nothing', async () => {
    const [one, elsewhere] = [await todo(bob, created.projectId), await todo(bob, other.projectId)];
    const answered = await todoReply(cleo, created.projectId, one._id);
    for (const ids of [[one._id, answered._id], [one._id, elsewhere._id], [one._id, 'nothing'], ['nothing']]) {
      expectRefused(await complete(bob, ids), 'todo.not-found');
    }
    expectRefused(await bob.put(`/api/todos/markComplete/${one._id}`, { projectId: other.projectId }), 'todo.not-found');
    expectRefused(await complete(bob, [...Array(101).keys()].map(String)), 'ids.too-many', { limit: 100 });
    expect((await active(bob, one._id))[one._id]).toEqual({ ...one, replyIds: [answered._id], position: answered.position });
  });

  test('a completed todo takes replies but no edits', async () => {
    const one = await todo(bob, created.projectId);
    bodyOf(await complete(bob, [one._id]));
    const answered = await todoReply(cleo, created.projectId, one._id);
    expect(bodyOf(await edit(cleo, answered._id, { content: 'Thanks' })).updatedTodo).toMatchObject({ content: 'Thanks' });
    expectRefused(await edit(bob, one._id, { content: one.content }), 'todo.completed');
    expectRefused(await edit(bob, one._id, { dueDate: 5_000_000 }), 'todo.completed');
    expect(keysOf(await active(uma, one._id, answered._id))).toEqual([answered._id]);
    expect(keysOf(await completed(uma, one._id, answered._id))).toEqual([answered._id, one._id].toSorted());
  });

  test('is refused to viewers who did not write it, visitors, outsiders and the guest', async () => {
    const one = await todo(bob, created.projectId);
    for (const who of [cleo, vic, uma]) expectRefused(await complete(who, [one._id]), 'todo.not-allowed');
    expectRefused(await complete(guest, [one._id]), 'guest.read-only');
    expectRefused(await complete(ana, [(await todo(bob, other.projectId))._id]), 'todo.not-found');
    bodyOf(await complete(ana, [one._id]));
    expectRefused(await complete(cleo, [one._id]), 'todo.not-allowed');
  });
});

test('the project page lists active and completed todos and replies in the order added', async () => {
  const [one, two] = [await todo(bob, created.projectId), await todo(ana, created.projectId)];
  const answered = await todoReply(cleo, created.projectId, one._id);
  const three = await todo(bob, created.projectId);
  bodyOf(await complete(bob, [two._id]));
  for (const who of [ana, vic, uma, guest]) {
    const { todos, project } = await page(who);
    expect(todos.slice(-4).map(({ _id }) => _id)).toEqual([one._id, two._id, answered._id, three._id]);
    expect(listed(project, one._id, two._id, answered._id, three._id)).toEqual([[one._id, three._id], [two._id]]);
  }
});
