import type { RegionEvents, RegionSpan } from '@roughmix/contracts/regions/region.events.js';
import type { WantedTag } from '@roughmix/contracts/shared/marks.js';
import { describe, expect, test } from '@jest/globals';
import type { ProjectCommand } from '../projects/project.decider.js';
import { eventsOf, folded, given } from '../testing/given.js';
import { aProject, type ProjectHistory, tagWith } from '../testing/project-history.js';
import type { TagChange } from './tagged-region.decider.js';

const shared = aProject().ownedBy('ana').sharedWith('bob').sharedWith('v0', { access: 0 }).withVersion('v1', { duration: 60 });
const drawn = shared.withRegion('r1', { by: 'ana', label: 'Chorus' });
const tagged = drawn.withChild('k1', { by: 'bob', of: 'r1' }).withComment('c1', { by: 'bob', tags: ['k1'] });

const comment = (...taggedRegions: readonly WantedTag[]): ProjectCommand => ({
  type: 'AddComment',
  data: { commentId: 'c9', kind: 'text', content: 'Here', taggedUsers: [], versionId: null, marks: { taggedRegions } },
});
const edit = (...taggedRegions: readonly WantedTag[]): ProjectCommand => ({ type: 'EditComment', data: { commentId: 'c1', taggedRegions } });

const child = (facts: Partial<RegionSpan>, parentRegionId = 'r1') => ({
  type: 'ChildRegionAdded',
  data: { regionId: 'x1', parentRegionId, versionId: 'v1', span: { start: 10, end: 20, tag: 'mix', label: null, ...facts } },
});
const withTags = (type: 'CommentAdded' | 'CommentEdited', tags: readonly string[]) => ({
  type,
  data: type === 'CommentAdded' ? { marks: { taggedRegions: tags, stamp: null } } : { to: { taggedRegions: tags, stamp: null } },
});
const removed = (regionId: string, facts: Partial<RegionEvents['RegionRemoved.v2']> = {}) => ({
  type: 'RegionRemoved.v2',
  data: { regionId, parentRegionId: null, childIds: [], commentIds: [], todoIds: [], ...facts },
});
/** The events of a command that must be accepted. */
const events = (history: ProjectHistory, command: ProjectCommand, uid = 'bob') => eventsOf(given(history).when(command, uid));

describe('tagging a post with a changed region adds a child', () => {
  test.each<[string, WantedTag['change'], Partial<RegionSpan>]>([
    ['its start', { start: 12 }, { start: 12 }],
    ['its end', { end: 19.999 }, { end: 19.999 }],
    ['its category', { tag: 'style' }, { tag: 'style' }],
    ['everything', { start: 1, end: 2, tag: 'general' }, { start: 1, end: 2, tag: 'general' }],
  ])('%s changed: the child has it, and no label', (_what, change, facts) =>
    expect(events(drawn, comment(tagWith('r1', change)))).toMatchObject([child(facts), withTags('CommentAdded', ['x1'])]),
  );

  test('without a difference the post is tagged with the saved region', () => {
    expect(events(drawn, comment(tagWith('r1')))).toMatchObject([withTags('CommentAdded', ['r1'])]);
    expect(events(drawn, comment(tagWith('r1', { start: 10, end: 20, tag: 'mix' })))).toMatchObject([withTags('CommentAdded', ['r1'])]);
  });

  test('a child of a child gets the same parent', () =>
    expect(events(tagged, comment(tagWith('k1', { end: 15 })))).toMatchObject([child({ start: 11, end: 15 }), withTags('CommentAdded', ['x1'])]));

  test('in a todo and in a reply to one too', () => {
    const post = { content: 'Yes', taggedUsers: [], versionId: null, marks: { taggedRegions: [tagWith('r1', { end: 15 })] } };
    const add: ProjectCommand = { type: 'AddTodo', data: { todoId: 't9', ...post, due: {}, at: 1 } };
    expect(events(drawn, add, 'ana')).toMatchObject([child({ end: 15 }), { type: 'TodoAdded', data: { marks: { taggedRegions: ['x1'] } } }]);
    const reply: ProjectCommand = { type: 'ReplyToTodo', data: { todoId: 't9', parentTodoId: 't1', ...post } };
    expect(events(drawn.withTodo('t1'), reply)).toMatchObject([child({ end: 15 }), { type: 'TodoReplyAdded', data: { marks: { taggedRegions: ['x1'] } } }]);
  });

  test('in a reply and in an edit too', () => {
    const reply: ProjectCommand = {
      type: 'ReplyToComment',
      data: {
        commentId: 'c9',
        parentCommentId: 'c1',
        content: 'Yes',
        taggedUsers: [],
        versionId: null,
        marks: { taggedRegions: [tagWith('r1', { end: 15 })] },
      },
    };
    expect(events(tagged, reply)).toMatchObject([child({ end: 15 }), { type: 'CommentReplyAdded', data: { marks: { taggedRegions: ['x1'] } } }]);
    const plain = drawn.withComment('c1', { by: 'bob', tags: ['r1'] });
    expect(events(plain, edit(tagWith('r1', { end: 15 })))).toMatchObject([child({ end: 15 }), withTags('CommentEdited', ['x1'])]);
  });

  test.each<[string, ProjectHistory, WantedTag, 'region.out-of-bounds' | 'version.not-found' | 'region.not-found']>([
    ['beyond the track', drawn, tagWith('r1', { end: 60.051 }), 'region.out-of-bounds'],
    ['too short', drawn, tagWith('r1', { end: 10.049 }), 'region.out-of-bounds'],
    ['of a removed version', drawn.withoutVersion('v1'), tagWith('r1', { end: 15 }), 'version.not-found'],
    ['of a removed region', drawn.withoutRegion('r1'), tagWith('r1', { end: 15 }), 'region.not-found'],
  ])('a child %s is refused, and so is the post', (_what, history, tag, code) => given(history).when(comment(tag), 'bob').thenRefused(code));

  test('the unchanged region of a removed version can still be tagged', () =>
    expect(events(drawn.withoutVersion('v1'), comment(tagWith('r1')))).toMatchObject([withTags('CommentAdded', ['r1'])]));

  test('viewers without the right to comment may not', () =>
    given(drawn)
      .when(comment(tagWith('r1', { end: 15 })), 'v0')
      .thenRefused('project.not-allowed'));
});

describe('a child goes with its last post', () => {
  const gone = removed('k1', { parentRegionId: 'r1' });

  test('when the tag is removed', () => expect(events(tagged, edit())).toMatchObject([withTags('CommentEdited', []), gone]));
  test('when the post is tagged with the parent again', () =>
    expect(events(tagged, edit(tagWith('r1')))).toMatchObject([withTags('CommentEdited', ['r1']), gone]));
  test('when another child replaces it', () =>
    expect(events(tagged, edit(tagWith('k1', { end: 15 })))).toMatchObject([child({ start: 11, end: 15 }), withTags('CommentEdited', ['x1']), gone]));
  test('when the post is removed', () =>
    expect(events(tagged, { type: 'RemoveComment', data: { commentId: 'c1' } })).toMatchObject([
      { type: 'CommentRemoved', data: { taggedRegions: ['k1'] } },
      gone,
    ]));

  test('but not while another post has it', () => {
    const shownTwice = tagged.withComment('c2', { by: 'ana', tags: ['k1'] });
    expect(events(shownTwice, edit())).toMatchObject([withTags('CommentEdited', [])]);
    expect(events(shownTwice, { type: 'RemoveComment', data: { commentId: 'c1' } })).toMatchObject([{ type: 'CommentRemoved' }]);
  });

  test('and not while a todo has it, until that is removed with its replies', () => {
    const withTodo = tagged.withTodo('t1', { tags: ['k1'] }).withTodoReply('t2', { by: 'bob', to: 't1', tags: ['k1'] });
    expect(events(withTodo, edit())).toMatchObject([withTags('CommentEdited', [])]);
    const onlyTodo = drawn
      .withChild('k1', { by: 'bob', of: 'r1' })
      .withTodo('t1', { tags: ['k1'] })
      .withTodoReply('t2', { by: 'bob', to: 't1', tags: ['k1'] });
    expect(events(onlyTodo, { type: 'RemoveTodo', data: { todoId: 't2' } })).toMatchObject([{ type: 'TodoReplyRemoved' }]);
    expect(events(onlyTodo, { type: 'RemoveTodo', data: { todoId: 't1' } }, 'ana')).toMatchObject([{ type: 'TodoRemoved' }, gone]);
  });

  test('and an ordinary region stays', () =>
    expect(events(drawn.withComment('c1', { by: 'bob', tags: ['r1'] }), edit())).toMatchObject([withTags('CommentEdited', [])]));
});

describe('removing', () => {
  const removal = (regionId: string): ProjectCommand => ({ type: 'RemoveRegion', data: { regionId } });

  test('a parent makes its children ordinary: they stay when their last post goes', () => {
    expect(events(tagged, removal('r1'), 'ana')).toEqual([removed('r1', { childIds: ['k1'] })]);
    const orphaned = tagged.withoutRegion('r1', { children: ['k1'] });
    expect(folded(orphaned).regions['k1']?.parentRegionId).toBeNull();
    expect(events(orphaned, edit())).toMatchObject([withTags('CommentEdited', [])]);
    expect(events(orphaned, comment(tagWith('k1', { end: 15 })))).toMatchObject([child({ start: 11, end: 15 }, 'k1'), withTags('CommentAdded', ['x1'])]);
  });

  test('a child takes the tag from its posts', () => {
    expect(events(tagged, removal('k1'))).toEqual([removed('k1', { parentRegionId: 'r1', commentIds: ['c1'] })]);
    given(tagged).when(removal('k1'), 'ana').thenRefused('region.not-yours', { detail: 'Permission denied' });
  });
});

describe('the tag of a todo', () => {
  const planned = drawn.withChild('k1', { by: 'bob', of: 'r1' }).withTodo('t1', { by: 'ana', tags: ['k1'] });
  const tagTodo = (change: TagChange): ProjectCommand => ({ type: 'TagTodo', data: { todoId: 't1', change, childId: 'x1' } });
  const edited = (tags: readonly string[]) => ({ type: 'TodoEdited', data: { due: null, text: { to: { taggedRegions: tags, stamp: null } } } });

  test('goes back to the parent, or away', () => {
    const gone = removed('k1', { parentRegionId: 'r1' });
    expect(events(planned, tagTodo({ to: 'parent', regionId: 'r1' }), 'ana')).toMatchObject([edited(['r1']), gone]);
    expect(events(planned, tagTodo({ to: 'nothing', regionId: 'k1' }), 'ana')).toMatchObject([edited([]), gone]);
    expect(events(planned, tagTodo({ to: 'region', regionId: 'k1', span: {} }), 'ana')).toEqual([]);
  });

  test('is changed by its author only, and not once it is completed', () => {
    const change: TagChange = { to: 'nothing', regionId: 'x' };
    given(planned).when(tagTodo(change), 'bob').thenRefused('todo.not-yours');
    given(planned.completing('t1')).when(tagTodo(change), 'ana').thenRefused('todo.completed');
    given(planned).when(tagTodo(change), 'ana').thenRefused('region.not-found');
    given(drawn).when(tagTodo(change), 'ana').thenRefused('todo.not-found');
  });
});

test('its creator edits a child in place', () => {
  const change = { end: 15 };
  expect(events(tagged, { type: 'EditRegion', data: { regionId: 'k1', change } })).toMatchObject([
    { type: 'RegionEdited', data: { regionId: 'k1', to: change } },
  ]);
  given(tagged)
    .when({ type: 'EditRegion', data: { regionId: 'k1', change } }, 'ana')
    .thenRefused('region.not-yours');
});
