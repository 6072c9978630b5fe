import { expect, test } from '@jest/globals';
import type { ActiveComment } from '@roughmix/contracts/comments/comment.view.js';
import type { RegionView, TaggedRegionView } from '@roughmix/contracts/regions/region.view.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { personView } from '../users/users.queries.js';
import { versionMarkers } from './version-markers.js';

const user = personView({ uid: 'ana', username: 'ana', firstName: '', lastName: '', photo: null });
const tag = { _id: 'r1', tag: 'mix', timespan: '', start: 1, end: 2, childRegion: null } satisfies TaggedRegionView;
const region = (changes: Partial<RegionView>): RegionView => ({
  _id: 'r1',
  projectId: 'p1',
  versionId: 'v1',
  groupId: null,
  start: 1,
  end: 2,
  tag: 'mix',
  label: null,
  timespan: '',
  user,
  dateAdded: 1,
  edited: null,
  commentIds: [],
  todoIds: [],
  parentRegion: null,
  childRegion: null,
  position: 1,
  ...changes,
});
const post = {
  projectId: 'p1',
  user,
  edited: null,
  versionId: 'v1',
  stamp: { versionId: 'v1', at: 1 },
  taggedRegions: [tag],
  taggedUsers: [],
  isReply: false,
  replyIds: [],
  position: 1,
};
const comment = (changes: Partial<ActiveComment>): ActiveComment => ({
  ...post,
  _id: 'c1',
  type: 'text',
  content: 'Louder',
  dateAdded: 2,
  parentCommentId: null,
  groupId: null,
  projectOwner: 'ana',
  likes: [],
  ...changes,
});
const todo = (changes: Partial<TodoView>): TodoView => ({
  ...post,
  _id: 't1',
  content: 'Tune it',
  dateAdded: 3,
  dateModified: 3,
  parentTodoId: null,
  parentOwner: null,
  completed: false,
  dateCompleted: null,
  completedBy: null,
  completedTodosVersionId: null,
  completedTodosVersion: null,
  dueDate: null,
  reminder: null,
  reminderSent: false,
  initialLogin: false,
  ...changes,
});

const names = (page: Partial<Parameters<typeof versionMarkers>[0]>): readonly string[] =>
  versionMarkers({ regions: [], comments: [], todos: [], ...page }, 'v1').map(({ name }) => name);

test('at equal times regions come before comments and these before todos', () => {
  expect(names({ regions: [region({ label: 'A' })], comments: [comment({})], todos: [todo({})] })).toEqual(['A', 'ana: Louder', 'Todo: ana: Tune it']);
});

test('a region with an invisible label is named like one without a label', () => {
  expect(names({ regions: [region({ label: '\u202e' })], comments: [comment({ stamp: null })] })).toEqual(['Louder']);
  expect(names({ regions: [region({ label: ' ' })] })).toEqual(['Mix']);
});

test('an image is named after its file; its region keeps its category', () => {
  const image = comment({ type: 'image', content: { mediaUrl: null, filename: 'desk.png', dateAdded: 2, width: null, height: null } });
  expect(names({ regions: [region({})], comments: [image] })).toEqual(['Mix', 'ana: desk.png']);
});

test('removed comments, posts without a timestamp and those of other versions are left out', () => {
  const removed = { _id: 'c2', projectId: 'p1', removed: true, content: null, user: null, dateAdded: 1, replyIds: [], position: 1 } as const;
  const elsewhere = { versionId: 'v2', at: 0 };
  expect(names({ comments: [removed, comment({ stamp: null }), comment({ stamp: elsewhere })], todos: [todo({ stamp: elsewhere })] })).toEqual([]);
});

test('a reply to a completed todo is completed too; a post has the category of its region as it is now', () => {
  const reply = todo({ _id: 't2', isReply: true, parentTodoId: 't1' });
  const markers = versionMarkers({ regions: [region({ tag: 'style' })], comments: [], todos: [todo({ completed: true, stamp: null }), reply] }, 'v1');
  expect(markers.map(({ kind, category, completed }) => [kind, category, completed])).toEqual([
    ['region', 'style', null],
    ['todo', 'style', true],
  ]);
});
