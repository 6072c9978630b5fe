import { describe, expect, test } from '@jest/globals';
import { type Due, NOT_DUE } from '@roughmix/contracts/todos/todo.due.js';
import type { ProjectCommand } from '../projects/project.decider.js';
import { eventsOf, given } from '../testing/given.js';
import { aProject, type ProjectHistory, tagWith } from '../testing/project-history.js';
import type { TodoCommands } from './todo.decider.js';

const NOW = 1_800_000_000_000;
const HOUR = 60 * 60_000;
const unmarked = { taggedRegions: [], stamp: null };
const dueSoon: Due = { dueDate: NOW + 2 * HOUR, reminder: { label: '1 hour before', at: NOW + HOUR } };

/** ana owns it, bob may write, carl may comment, v0 may only view. */
const shared = aProject().ownedBy('ana').withVersion('v1').sharedWith('bob', { write: true }).sharedWith('carl', { access: 1 }).sharedWith('v0', { access: 0 });
const planned = shared.withTodo('t1', { by: 'bob' });
const answered = planned.withTodoReply('t2', { by: 'carl', to: 't1', parentOwnerUid: 'bob' });
const demoted = (history: ProjectHistory, access: 0 | 1) => history.withPermissions('bob', { access: 3, write: true }, { access, write: false });

const add = (facts: Partial<TodoCommands['AddTodo']> = {}): ProjectCommand => ({
  type: 'AddTodo',
  data: { todoId: 't9', content: 'Tune the snare', taggedUsers: [], versionId: null, marks: unmarked, due: {}, at: NOW, ...facts },
});
const reply = (parentTodoId: string): ProjectCommand => ({
  type: 'ReplyToTodo',
  data: { todoId: 't9', parentTodoId, content: 'On it', taggedUsers: [], versionId: null, marks: unmarked },
});
const edit = (change: Partial<TodoCommands['EditTodo']>): ProjectCommand => ({ type: 'EditTodo', data: { todoId: 't1', due: {}, at: NOW, ...change } });
const complete = (todoIds: readonly string[], versionId: string | null = null): ProjectCommand => ({ type: 'CompleteTodos', data: { todoIds, versionId } });
const remove = (todoId: string): ProjectCommand => ({ type: 'RemoveTodo', data: { todoId } });

describe('adding a todo', () => {
  test('belongs to the current version and has its due date and reminder', () => {
    given(shared)
      .when(add({ due: { dueDate: dueSoon.dueDate, reminder: '1 hour before' } }), 'bob')
      .then([{ type: 'TodoAdded', data: { todoId: 't9', content: 'Tune the snare', taggedUsers: [], versionId: 'v1', marks: unmarked, due: dueSoon } }]);
  });

  test('needs the right to write', () => {
    for (const uid of ['carl', 'v0']) given(shared).when(add(), uid).thenRefused('project.not-allowed');
    given(shared.made('public')).when(add(), 'visitor').thenRefused('project.not-allowed');
    given(shared).when(add(), 'outsider').thenRefused('project.not-found');
  });

  test('happens once, however late the command is repeated', () => {
    given(shared.withTodo('t9', { by: 'bob' }))
      .when(add(), 'bob')
      .thenNothing();
    given(planned.withTodoReply('t9', { by: 'carl', to: 't1' }))
      .when(reply('t1'), 'carl')
      .thenNothing();
  });

  test('is refused for a version or region that is not there, or a reminder in the past', () => {
    given(shared)
      .when(add({ versionId: 'v9' }), 'bob')
      .thenRefused('version.not-found');
    given(shared)
      .when(add({ marks: { taggedRegions: [tagWith('r9')], stamp: null } }), 'bob')
      .thenRefused('region.not-found');
    given(shared)
      .when(add({ due: { dueDate: NOW + HOUR, reminder: '1 hour before' } }), 'bob')
      .thenRefused('reminder.past');
  });
});

describe('pending reminders', () => {
  const due = { dueDate: NOW + 2 * HOUR, reminder: '1 hour before' } as const;
  const remindingOf = (count: number): ProjectHistory =>
    Array.from({ length: count }, (_, nth) => `r${nth}`).reduce((history, id) => history.withTodo(id, { by: 'bob', due: dueSoon }), planned);

  const made = (history: ProjectHistory, command: ProjectCommand, uid = 'bob'): readonly string[] =>
    eventsOf(given(history).when(command, uid)).map(({ type }) => type);
  const move: ProjectCommand = { type: 'EditTodo', data: { todoId: 'r0', due: { dueDate: due.dueDate + HOUR }, at: NOW } };

  test('are limited to fifty per author and project, for new todos and for edits', () => {
    given(remindingOf(50)).when(add({ due }), 'bob').thenRefused('reminder.too-many');
    given(remindingOf(50)).when(edit({ due }), 'bob').thenRefused('reminder.too-many');
    expect(made(remindingOf(49), edit({ due }))).toEqual(['TodoEdited']);
    expect(made(remindingOf(50), add({ due: { dueDate: due.dueDate } }))).toEqual(['TodoAdded']);
    expect(made(remindingOf(50), add({ due }), 'ana')).toEqual(['TodoAdded']);
  });

  test('may still be moved, and make room when one is sent, completed or removed', () => {
    const full = remindingOf(50);
    expect(made(full, move)).toEqual(['TodoEdited']);
    const sent = full.reminded('r0', { label: '1 hour before', at: NOW + HOUR });
    for (const freed of [sent, full.completing('r0'), full.withoutTodo('r0')]) expect(made(freed, add({ due }))).toEqual(['TodoAdded']);
    given(sent.withTodo('r50', { by: 'bob', due: dueSoon }))
      .when(move, 'bob')
      .thenRefused('reminder.too-many');
  });
});

describe('replying', () => {
  test.each<[string, ProjectHistory, string, string]>([
    ['the author of the todo', planned, 't1', 'bob'],
    ['the author of the newest reply', answered, 't1', 'carl'],
    ['the author of the newest reply, when it answers a reply', answered, 't2', 'carl'],
    ['the author of the newest reply that is left', answered.withTodoReply('t3', { to: 't1' }).withoutTodoReply('t3', { from: 't1' }), 't1', 'carl'],
  ])('answers %s', (_what, history, to, parentOwnerUid) =>
    expect(eventsOf(given(history).when(reply(to), 'carl'))).toMatchObject([
      { type: 'TodoReplyAdded', data: { todoId: 't9', parentTodoId: 't1', parentOwnerUid } },
    ]),
  );

  test('is possible when the todo is completed, not when it or the reply is gone', () => {
    expect(eventsOf(given(answered.completing('t1')).when(reply('t1'), 'carl'))).toMatchObject([{ type: 'TodoReplyAdded' }]);
    given(planned).when(reply('t8'), 'carl').thenRefused('todo.not-found');
    given(answered.withoutTodoReply('t2', { from: 't1' }))
      .when(reply('t2'), 'carl')
      .thenRefused('todo.not-found');
    for (const to of ['t1', 't2'])
      given(answered.withoutTodo('t1', { replyIds: ['t2'] }))
        .when(reply(to), 'carl')
        .thenRefused('todo.not-found');
  });

  test('needs the right to comment', () => given(planned).when(reply('t1'), 'v0').thenRefused('project.not-allowed'));
});

describe('editing', () => {
  const due = shared.withTodo('t1', { by: 'bob', due: dueSoon });
  const text = { content: 'Softer', taggedUsers: [], from: unmarked, to: unmarked };

  test('stores only what changes', () => {
    given(due)
      .when(edit({ content: 'Softer', taggedUsers: [] }), 'bob')
      .then([{ type: 'TodoEdited', data: { todoId: 't1', text, due: null } }]);
    given(due)
      .when(edit({ due: { dueDate: null } }), 'bob')
      .then([{ type: 'TodoEdited', data: { todoId: 't1', text: null, due: { from: dueSoon, to: NOT_DUE } } }]);
    given(due)
      .when(edit({ content: 'Softer', taggedUsers: [], due: { reminder: 'None' } }), 'bob')
      .then([{ type: 'TodoEdited', data: { todoId: 't1', text, due: { from: dueSoon, to: { ...dueSoon, reminder: null } } } }]);
    given(due)
      .when(edit({ content: 'Tune the snare', taggedUsers: [], due: { dueDate: dueSoon.dueDate ?? 0, reminder: '1 hour before' } }), 'bob')
      .thenNothing();
  });

  test('saves nothing when a part is refused', () => {
    given(due)
      .when(edit({ content: 'Softer', taggedUsers: [], due: { dueDate: NOW } }), 'bob')
      .thenRefused('reminder.past');
    given(due)
      .when(edit({ taggedRegions: [tagWith('r9')], due: { dueDate: null } }), 'bob')
      .thenRefused('region.not-found');
  });

  test('a reminder in the past can stay', () => {
    const late = edit({ content: 'Softer', taggedUsers: [], at: NOW + 3 * HOUR });
    expect(eventsOf(given(due).when(late, 'bob'))).toMatchObject([{ data: { due: null } }]);
  });

  test('is for the author, with the right that writing it needed', () => {
    const change = edit({ content: 'Softer' });
    for (const uid of ['ana', 'carl', 'v0']) given(planned).when(change, uid).thenRefused('todo.not-yours');
    given(demoted(planned, 1)).when(change, 'bob').thenRefused('project.not-allowed');
    const ownReply = planned.withTodoReply('t2', { by: 'bob', to: 't1' });
    const replyChange = edit({ todoId: 't2', content: 'Softer' });
    expect(eventsOf(given(demoted(ownReply, 1)).when(replyChange, 'bob'))).toMatchObject([{ type: 'TodoEdited' }]);
    given(demoted(ownReply, 0)).when(replyChange, 'bob').thenRefused('project.not-allowed');
  });

  test('of a completed todo is refused even without a change; its replies can be edited', () => {
    given(answered.completing('t1')).when(edit({}), 'bob').thenRefused('todo.completed');
    expect(eventsOf(given(answered.completing('t1')).when(edit({ todoId: 't2', content: 'x' }), 'carl'))).toMatchObject([{ type: 'TodoEdited' }]);
  });

  test.each<[string, TodoCommands['EditTodo']['due']]>([
    ['dueDate', { dueDate: null }],
    ['reminder', { reminder: null }],
  ])('of the %s of a reply is refused', (field, change) =>
    given(answered)
      .when(edit({ todoId: 't2', due: change }), 'carl')
      .thenRefused('request.unknown-field', { field: `submission.${field}` }),
  );
});

test('a reminder of null without a due date of null is not valid, which is checked before permission and state', () => {
  const invalid = { due: { reminder: null } };
  const history = [
    given(shared).when(add(invalid), 'v0'),
    given(planned).when(edit(invalid), 'v0'),
    given(planned.completing('t1')).when(edit(invalid), 'bob'),
  ];
  for (const answer of history) answer.thenRefused('request.invalid', { field: 'submission.reminder' });
});

describe('completing', () => {
  const three = planned.withTodo('t2', { by: 'ana' }).withTodo('t3', { by: 'bob' });
  const version = { versionId: 'v1', majorUpdate: 1, minorUpdate: 0 };
  const done = (todoId: string, under: typeof version | null = version) => ({ type: 'TodoCompleted', data: { todoId, version: under } }) as const;

  test('follows the order of the ids and skips those that are completed', () =>
    given(three.completing('t2'))
      .when(complete(['t3', 't2', 't1']), 'bob')
      .then([done('t3'), done('t1')]));

  test('counts an id that is named twice once', () =>
    given(three)
      .when(complete(['t3', 't1', 't3']), 'bob')
      .then([done('t3'), done('t1')]));

  test('is under the named version, else the current one, even if it is rejected, else none', () => {
    const two = planned.withVersion('v2').rejected('v2');
    given(two)
      .when(complete(['t1']), 'bob')
      .then([done('t1', { versionId: 'v2', majorUpdate: 1, minorUpdate: 1 })]);
    given(two)
      .when(complete(['t1'], 'v1'), 'bob')
      .then([done('t1')]);
    given(planned.withoutVersion('v1'))
      .when(complete(['t1']), 'bob')
      .then([done('t1', null)]);
    for (const versionId of ['v9', 'v2'])
      given(two.withoutVersion('v2'))
        .when(complete(['t1'], versionId), 'bob')
        .thenRefused('version.not-found');
  });

  test('is refused for a reply, a missing todo, or no todo at all', () => {
    for (const ids of [['t2'], ['t1', 't2'], ['t1', 't9'], []]) given(answered).when(complete(ids), 'bob').thenRefused('todo.not-found');
  });

  test('is for those who may add todos; other members complete their own', () => {
    for (const uid of ['carl', 'v0'])
      given(three)
        .when(complete(['t1']), uid)
        .thenRefused('todo.not-allowed');
    given(demoted(three, 0))
      .when(complete(['t1']), 'bob')
      .then([done('t1')]);
    given(demoted(three, 0))
      .when(complete(['t1', 't2']), 'bob')
      .thenRefused('todo.not-allowed');
    given(three.made('public').without('bob'))
      .when(complete(['t1']), 'bob')
      .thenRefused('todo.not-allowed');
    given(three.completing('t1'))
      .when(complete(['t1']), 'carl')
      .thenRefused('todo.not-allowed');
  });
});

describe('removing', () => {
  test('a todo names its replies, all their tags and the version under which it was completed', () => {
    const tagged = shared
      .withRegion('r1')
      .withRegion('r2')
      .withTodo('t1', { by: 'bob', tags: ['r1'] })
      .withTodoReply('t2', { by: 'carl', to: 't1', tags: ['r2'] })
      .withTodoReply('t3', { to: 't1', tags: ['r1'] })
      .completing('t1', { version: { versionId: 'v1', majorUpdate: 1, minorUpdate: 0 } });
    given(tagged)
      .when(remove('t1'), 'bob')
      .then([
        { type: 'TodoRemoved', data: { todoId: 't1', replyIds: ['t2', 't3'], taggedRegions: ['r1', 'r2'], wasCompleted: true, completedVersionId: 'v1' } },
      ]);
    given(tagged)
      .when(remove('t2'), 'carl')
      .then([{ type: 'TodoReplyRemoved', data: { todoId: 't2', parentTodoId: 't1', taggedRegions: ['r2'] } }]);
  });

  test('is for the author, with the right that writing it needed', () => {
    for (const uid of ['ana', 'carl', 'v0']) given(planned).when(remove('t1'), uid).thenRefused('todo.not-yours');
    given(demoted(planned, 1)).when(remove('t1'), 'bob').thenRefused('project.not-allowed');
    given(answered.withoutTodo('t1', { replyIds: ['t2'] }))
      .when(remove('t2'), 'carl')
      .thenRefused('todo.not-found');
  });
});

test('a removed region is untagged from todos and replies', () => {
  const tagged = shared
    .withRegion('r1')
    .withTodo('t1', { by: 'bob', tags: ['r1'] })
    .withTodoReply('t2', { by: 'carl', to: 't1', tags: ['r1'] });
  given(tagged)
    .when({ type: 'RemoveRegion', data: { regionId: 'r1' } }, 'ana')
    .then([{ type: 'RegionRemoved.v2', data: { regionId: 'r1', parentRegionId: null, childIds: [], commentIds: [], todoIds: ['t1', 't2'] } }]);
  const untagged = tagged.withoutRegion('r1', { todoIds: ['t1', 't2'] });
  expect(eventsOf(given(untagged).when(remove('t1'), 'bob'))).toMatchObject([{ data: { taggedRegions: [] } }]);
});

test('a changed region becomes a child region, which goes with the last post that is tagged with it', () => {
  const drawn = shared.withRegion('r1');
  const taggedRegions = [tagWith('r1', { start: 12 })];
  const marks = { taggedRegions: ['x1'], stamp: null };
  expect(eventsOf(given(drawn).when(add({ marks: { taggedRegions } }), 'bob'))).toMatchObject([
    { type: 'ChildRegionAdded', data: { regionId: 'x1', parentRegionId: 'r1' } },
    { type: 'TodoAdded', data: { marks } },
  ]);
  const child = drawn
    .withTodo('t1', { by: 'bob' })
    .withChild('x1', { by: 'carl', of: 'r1' })
    .withTodoReply('t2', { by: 'carl', to: 't1', tags: ['x1'] });
  expect(eventsOf(given(child).when(remove('t2'), 'carl'))).toMatchObject([
    { type: 'TodoReplyRemoved' },
    { type: 'RegionRemoved.v2', data: { regionId: 'x1' } },
  ]);
  expect(eventsOf(given(child).when(remove('t1'), 'bob'))).toMatchObject([{ type: 'TodoRemoved' }, { type: 'RegionRemoved.v2', data: { regionId: 'x1' } }]);
  expect(eventsOf(given(child).when(edit({ todoId: 't2', taggedRegions: [] }), 'carl'))).toMatchObject([
    { type: 'TodoEdited', data: { text: { from: marks, to: unmarked } } },
    { type: 'RegionRemoved.v2', data: { regionId: 'x1' } },
  ]);
});
