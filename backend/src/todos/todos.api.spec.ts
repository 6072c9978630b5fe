import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ProjectPageAnswer } from '@roughmix/contracts/comments/comment.view.js';
import type { TodoAddedAnswer, TodoReplyAnswer, TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { aProjectWith, diff, editPermissions, region, todo, todoReply, type CreatedProject } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused, keysOf, statusAndCode } from '../testing/test-client.js';
import { active, complete, completed, edit, listed, remove } from '../testing/todo-calls.js';

const TODO =
  '_id completed completedBy completedTodosVersion completedTodosVersionId content dateAdded dateCompleted dateModified dueDate edited initialLogin isReply ' +
  'parentOwner parentTodoId position projectId reminder reminderSent replyIds stamp taggedRegions taggedUsers user versionId';
const HOUR = 60 * 60_000;
/** A whole hour, a day or two away. */
const SOON = Math.ceil(Date.now() / HOUR) * HOUR + 48 * HOUR;

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

const add = (who: Person, submission: object): Promise<Answer<TodoAddedAnswer>> => who.post('/api/todos', { projectId: created.projectId, submission });
const answerTo = (who: Person, id: string, submission: object): Promise<Answer<TodoReplyAnswer>> =>
  who.post(`/api/todos/${id}`, { projectId: created.projectId, submission });
const page = async (who: Person): Promise<ProjectPageAnswer['data']> =>
  bodyOf(await who.get<ProjectPageAnswer>(`/api/projects/${created.projectId}/visitor/${who.uid}`)).data;

describe('a new todo', () => {
  test('is returned with the updated project', async () => {
    const answer = await add(bob, { content: '  Tune\nthe snare ', dueDate: SOON, reminder: { '15 minutes before': 7 } });
    expect([answer.status, keysOf(answer.body), answer.body.oldTodo]).toEqual([201, ['newTodo', 'oldTodo', 'updatedProject'], null]);
    const newTodo = answer.body.newTodo as TodoView;
    expect(keysOf(newTodo).join(' ')).toBe(TODO);
    expect(newTodo).toEqual({
      _id: newTodo._id,
      projectId: created.projectId,
      versionId: created.versionId,
      content: '  Tune\nthe snare ',
      user: expect.objectContaining({ _id: bob.uid, uid: bob.uid }),
      dateAdded: newTodo.dateAdded,
      dateModified: newTodo.dateAdded,
      edited: null,
      isReply: false,
      parentTodoId: null,
      parentOwner: null,
      replyIds: [],
      taggedRegions: [],
      taggedUsers: [],
      stamp: null,
      completed: false,
      dateCompleted: null,
      completedBy: null,
      completedTodosVersionId: null,
      completedTodosVersion: null,
      dueDate: SOON,
      reminder: { '15 minutes before': SOON - 15 * 60_000 },
      reminderSent: false,
      initialLogin: false,
      position: Number(answer.headers.get('x-position')),
    });
    expect(listed(answer.body.updatedProject, newTodo._id)).toEqual([[newTodo._id], []]);
    for (const who of [uma, guest]) expect(await active(who, newTodo._id)).toEqual({ [newTodo._id]: newTodo });
  });

  test.each<[what: string, submission: object, word: string]>([
    ['10,000 characters', { content: 'x'.repeat(10_000) }, '201'],
    ['10,001 characters', { content: 'x'.repeat(10_001) }, '400 limit.todo'],
    ['white space alone', { content: ' \n\t\u00a0 ' }, '400 todo.empty'],
    ['characters that show nothing', { content: '\u200b\u3164\u202e' }, '400 todo.empty'],
    ['no content', {}, '400 request.invalid'],
    ['a version that is not there', { content: 'x', versionId: 'x' }, '404 version.not-found'],
    ['a region that is not there', { content: 'x', taggedRegions: [{ _id: 'x' }] }, '404 region.not-found'],
    ['a stamp after the end', { content: 'x', stamp: { versionId: 'of the project', at: 3 } }, '400 stamp.out-of-bounds'],
    ['a due date in the past', { content: 'x', dueDate: 0 }, '201'],
    ['the latest due date', { content: 'x', dueDate: Date.UTC(9999, 11, 31, 23, 59, 59, 999) }, '201'],
    ['a due date after it', { content: 'x', dueDate: Date.UTC(10_000, 0) }, '400 reminder.too-far'],
    ['a due date that no date can hold', { content: 'x', dueDate: 8.64e15 + 1 }, '400 reminder.too-far'],
    ['a negative due date', { content: 'x', dueDate: -1 }, '400 request.invalid'],
    ['a due date that is no whole number', { content: 'x', dueDate: 1.5 }, '400 request.invalid'],
    ['a due date as text', { content: 'x', dueDate: '2026-11-23' }, '400 request.invalid'],
    ['a reminder without a due date', { content: 'x', reminder: { '1 hour before': 1 } }, '400 reminder.no-due-date'],
    ['a reminder with a due date of null', { content: 'x', dueDate: null, reminder: { '1 hour before': 1 } }, '400 reminder.no-due-date'],
    ['a reminder in the past', { content: 'x', dueDate: 5_000_000, reminder: { '1 hour before': SOON } }, '400 reminder.past'],
    ['no reminder', { content: 'x', reminder: { None: -1 } }, '201'],
    ['null and null', { content: 'x', dueDate: null, reminder: null }, '201'],
    ['a reminder of null with a due date', { content: 'x', dueDate: SOON, reminder: null }, '400 request.invalid'],
    ['an unknown label', { content: 'x', dueDate: SOON, reminder: { '3 hours before': 1 } }, '400 request.invalid'],
    ['two labels', { content: 'x', dueDate: SOON, reminder: { None: -1, '1 hour before': 1 } }, '400 request.invalid'],
    ['a reminder as text', { content: 'x', dueDate: SOON, reminder: '1 hour before' }, '400 request.invalid'],
    ['fields that the server determines', { content: 'x', user: 'x', dateAdded: 1, reminderSent: true, parentTodoId: 'x', parentOwner: 'x' }, '201'],
    ['an unknown field', { content: 'x', colour: 'red' }, '400 request.unknown-field'],
  ])('of %s', async (_what, submission, word) => {
    const text = JSON.stringify(submission).replace('of the project', created.versionId);
    expect(statusAndCode(await add(bob, JSON.parse(text) as object))).toBe(word);
  });
});

describe('the text of a new todo', () => {
  test('is refused with the limit and the field when it is too long', async () => {
    expectRefused(await add(bob, { content: 'x'.repeat(10_001) }), 'limit.todo', { limit: 10_000, field: 'content' });
  });

  test('mentions members, each once, not oneself', async () => {
    const said = await todo(bob, created.projectId, { content: '%MENTION_Cleo Tester_END% %MENTION_Bob Tester_END% %MENTION_Uma Tester_END%' });
    expect([said.taggedUsers, said.content]).toEqual([[cleo.uid], '%MENTION_Cleo Tester_END% %MENTION_Bob Tester_END% %MENTION_Uma Tester_END%']);
  });
});

test('a todo is added by the owner and collaborators only', async () => {
  expect(statusAndCode(await add(ana, { content: 'x' }))).toBe('201');
  for (const who of [cleo, vic, uma]) expectRefused(await add(who, { content: 'x' }), 'project.not-allowed');
  expectRefused(await add(guest, { content: 'x' }), 'guest.read-only');
  expectRefused(await ana.post('/api/todos', { projectId: other.projectId, submission: { content: 'x' } }), 'project.not-found');
});

describe('a reply', () => {
  test('is attached to the todo, also as a reply to a reply, and answers the newest reply', async () => {
    const first = await todo(bob, created.projectId);
    const answer = await answerTo(cleo, first._id, { content: 'Which?' });
    expect([answer.status, keysOf(answer.body)]).toEqual([201, ['newTodo', 'updatedParentTodo', 'updatedProject']]);
    const one = answer.body.newTodo as TodoView;
    expect(keysOf(one).join(' ')).toBe(TODO);
    expect(one).toMatchObject({ isReply: true, parentTodoId: first._id, parentOwner: { uid: bob.uid }, dueDate: null, reminder: null, reminderSent: false });
    expect(answer.body.updatedParentTodo).toMatchObject({ _id: first._id, replyIds: [one._id], edited: null, dateModified: first.dateModified });
    expect(listed(answer.body.updatedProject, first._id, one._id)).toEqual([[first._id], []]);
    const two = await todoReply(ana, created.projectId, one._id);
    expect(two).toMatchObject({ parentTodoId: first._id, parentOwner: { uid: cleo.uid } });
    bodyOf(await remove(cleo, one._id));
    expect((await active(uma, two._id))[two._id]).toMatchObject({ parentOwner: { uid: cleo.uid } });
    expect(await todoReply(bob, created.projectId, first._id)).toMatchObject({ parentOwner: { uid: ana.uid } });
  });

  test('is refused with a due date or a reminder, even null, empty, too long, or without the right to comment', async () => {
    const { _id } = await todo(bob, created.projectId);
    expectRefused(await answerTo(cleo, _id, { content: 'x', dueDate: null }), 'request.unknown-field', { field: 'submission.dueDate' });
    expectRefused(await answerTo(cleo, _id, { content: 'x', reminder: null }), 'request.unknown-field', { field: 'submission.reminder' });
    expectRefused(await answerTo(cleo, _id, { content: ' ' }), 'todo.empty');
    expectRefused(await answerTo(cleo, _id, { content: 'x'.repeat(10_001) }), 'limit.todo', { limit: 10_000, field: 'content' });
    for (const who of [vic, uma]) expectRefused(await answerTo(who, _id, { content: 'x' }), 'project.not-allowed');
    for (const who of [cleo, uma]) expectRefused(await answerTo(who, 'nothing', { content: 'x' }), 'todo.not-found');
    expectRefused(await bob.post(`/api/todos/${_id}`, { projectId: other.projectId, submission: { content: 'x' } }), 'todo.not-found');
  });
});

describe('an edit', () => {
  test('changes the text; marks and due date stay when missing', async () => {
    const drawn = await region(bob, created);
    const { versionId } = created;
    const first = await todo(bob, created.projectId, {
      taggedRegions: [{ _id: drawn._id }],
      stamp: { versionId, at: 1 },
      dueDate: SOON,
      reminder: { '1 hour before': 0 },
    });
    expect(first).toMatchObject({ taggedRegions: [{ _id: drawn._id }], stamp: { versionId, at: 1 } });
    expect((await page(uma)).regions.find(({ _id }) => _id === drawn._id)).toMatchObject({ todoIds: [first._id], commentIds: [] });
    const answer = await edit(bob, first._id, { content: 'Softer', versionId: 'ignored' });
    expect([answer.status, keysOf(answer.body)]).toEqual([200, ['updatedProject', 'updatedTodo']]);
    const updated = answer.body.updatedTodo as TodoView;
    expect(updated).toEqual({ ...first, content: 'Softer', edited: updated.edited, dateModified: updated.edited, position: updated.position });
    expect(updated.edited).toBeGreaterThanOrEqual(first.dateAdded);
    const same = await edit(bob, first._id, { content: 'Softer', dueDate: SOON, reminder: { '1 hour before': 5 } });
    expect([same.status, same.headers.get('x-position'), same.body.updatedTodo]).toEqual([200, null, updated]);
    const cleared = bodyOf(await edit(bob, first._id, { taggedRegions: [], stamp: null })).updatedTodo;
    expect(cleared).toMatchObject({ content: 'Softer', stamp: null, taggedRegions: [] });
    expect((await page(uma)).regions.find(({ _id }) => _id === drawn._id)).toMatchObject({ todoIds: [] });
  });

  test('of the due date moves the reminder and is not an edit of the text', async () => {
    const first = await todo(bob, created.projectId, { dueDate: SOON, reminder: { '1 hour before': 0 } });
    const moved = bodyOf(await edit(bob, first._id, { dueDate: SOON + HOUR })).updatedTodo as TodoView;
    expect(moved).toMatchObject({ dueDate: SOON + HOUR, reminder: { '1 hour before': SOON }, edited: null });
    expect(moved.dateModified).toBeGreaterThanOrEqual(first.dateModified);
    expectRefused(await edit(bob, first._id, { dueDate: 1, content: 'Not saved' }), 'reminder.past');
    expect((await active(bob, first._id))[first._id]).toEqual(moved);
    expect(bodyOf(await edit(bob, first._id, { dueDate: null })).updatedTodo).toMatchObject({ dueDate: null, reminder: { None: -1 } });
    expectRefused(await edit(bob, first._id, { reminder: { '1 hour before': 1 } }), 'reminder.no-due-date');
    const errors = [{ field: 'submission.reminder', code: 'invalid', detail: 'This request is not valid.' }];
    expectRefused(await edit(bob, first._id, { reminder: null }), 'request.invalid', { errors });
  });

  test('of content and due date together is one change', async () => {
    const first = await todo(bob, created.projectId);
    const answer = await edit(bob, first._id, { content: 'Softer', dueDate: SOON });
    expect(answer.body.updatedTodo).toMatchObject({ content: 'Softer', dueDate: SOON, position: first.position + 1 });
    expect(answer.headers.get('x-position')).toBe(String(first.position + 1));
  });

  test('is for the author alone, while they have the right to write it', async () => {
    const { projectId } = await aProjectWith(ana, { collaborators: [bob, cleo] });
    const first = await todo(bob, projectId);
    const answered = await todoReply(bob, projectId, first._id);
    for (const who of [ana, cleo]) {
      expectRefused(await edit(who, first._id, { content: 'x' }), 'todo.not-yours');
      expectRefused(await remove(who, first._id), 'todo.not-yours');
    }
    expectRefused(await edit(uma, first._id, { content: 'x' }), 'todo.not-found');
    bodyOf(await editPermissions(ana, projectId, [diff(bob.uid, 1)]));
    expectRefused(await edit(bob, first._id, { content: 'x' }), 'project.not-allowed');
    expectRefused(await remove(bob, first._id), 'project.not-allowed');
    expect(bodyOf(await edit(bob, answered._id, { content: 'Still mine' })).updatedTodo).toMatchObject({ content: 'Still mine' });
    bodyOf(await editPermissions(ana, projectId, [diff(bob.uid, 0)]));
    expectRefused(await edit(bob, answered._id, { content: 'x' }), 'project.not-allowed');
    expect(bodyOf(await complete(bob, [first._id])).completedTodos[first._id]).toMatchObject({ completed: true });
  });

  test('is refused when empty, too long, for a missing todo, in another project, or with a due date for a reply', async () => {
    const { _id } = await todo(bob, created.projectId);
    expectRefused(await edit(bob, _id, { content: ' ' }), 'todo.empty');
    expectRefused(await edit(bob, _id, { content: 'x'.repeat(10_001) }), 'limit.todo', { limit: 10_000, field: 'content' });
    expectRefused(await edit(bob, 'nothing', { content: 'x' }), 'todo.not-found');
    expectRefused(await bob.put(`/api/todos/${_id}`, { projectId: other.projectId, submission: { content: 'x' } }), 'todo.not-found');
    const answered = await todoReply(bob, created.projectId, _id);
    expectRefused(await edit(bob, answered._id, { dueDate: null }), 'request.unknown-field', { field: 'submission.dueDate' });
    expectRefused(await edit(bob, answered._id, { content: 'x', reminder: null }), 'request.unknown-field', { field: 'submission.reminder' });
  });
});

test('an edit keeps the mention of someone who has left, and sending the same text again changes nothing', async () => {
  const { projectId } = await aProjectWith(ana, { viewers: [`${cleo.uid}-0`] });
  const content = '%MENTION_Cleo Tester_END% knows';
  const first = await todo(ana, projectId, { content });
  bodyOf(await cleo.post(`/api/projects/${projectId}/leave`));
  const same = await edit(ana, first._id, { content });
  expect([same.status, same.headers.get('x-position'), same.body.updatedTodo]).toEqual([200, null, first]);
  const updated = bodyOf(await edit(ana, first._id, { content: `${content}, %MENTION_Bob Tester_END%` })).updatedTodo;
  expect(updated).toMatchObject({ content: `${content}, %MENTION_Bob Tester_END%`, taggedUsers: [] });
  const again = await edit(ana, first._id, { content: `${content}, %MENTION_Bob Tester_END%` });
  expect(again.headers.get('x-position')).toBeNull();
});

describe('removing', () => {
  test('takes a todo with its replies out of every list', async () => {
    const drawn = await region(bob, created);
    const tagged = { taggedRegions: [{ _id: drawn._id }] };
    const one = await todo(bob, created.projectId, tagged);
    const answered = await todoReply(cleo, created.projectId, one._id, tagged);
    bodyOf(await complete(bob, [one._id]));
    expect((await page(uma)).regions.find(({ _id }) => _id === drawn._id)).toMatchObject({ todoIds: [one._id, answered._id] });
    const answer = await remove(bob, one._id);
    expect([answer.status, keysOf(answer.body), answer.body.updatedParentTodo]).toEqual([200, ['updatedParentTodo', 'updatedProject'], null]);
    expect(listed(answer.body.updatedProject, one._id)).toEqual([[], []]);
    expect(answer.body.updatedProject.versions.flatMap(({ completedTodos }) => completedTodos)).not.toContain(one._id);
    const { todos, regions } = await page(uma);
    expect(todos.filter(({ _id }) => [one._id, answered._id].includes(_id))).toEqual([]);
    expect(regions.find(({ _id }) => _id === drawn._id)).toMatchObject({ todoIds: [] });
    expect([await active(bob, one._id, answered._id), await completed(bob, one._id, answered._id)]).toEqual([{}, {}]);
    for (const refused of [await remove(bob, one._id), await edit(bob, one._id, { content: 'x' }), await answerTo(bob, one._id, { content: 'x' })]) {
      expectRefused(refused, 'todo.not-found');
    }
    expectRefused(await complete(bob, [one._id]), 'todo.not-found');
  });

  test('a reply returns its todo without it', async () => {
    const one = await todo(bob, created.projectId);
    const answered = await todoReply(cleo, created.projectId, one._id);
    expectRefused(await remove(bob, answered._id), 'todo.not-yours');
    expect(bodyOf(await remove(cleo, answered._id)).updatedParentTodo).toMatchObject({ _id: one._id, replyIds: [], edited: null });
  });
});

test('lists keep the requested order and leave out todos that the caller cannot see', async () => {
  const [one, two, hidden] = [await todo(bob, created.projectId), await todo(bob, created.projectId), await todo(bob, other.projectId)];
  expect(Object.keys(await active(uma, two._id, hidden._id, 'nothing', one._id, two._id))).toEqual([two._id, one._id]);
});

test('a removed region is untagged from its todos, which are not edited by it', async () => {
  const drawn = await region(bob, created);
  const one = await todo(bob, created.projectId, { taggedRegions: [{ _id: drawn._id }] });
  bodyOf(await bob.post(`/api/regions/${drawn._id}`, { projectId: created.projectId }));
  expect((await active(uma, one._id))[one._id]).toEqual({ ...one, taggedRegions: [], position: one.position + 1 });
});
