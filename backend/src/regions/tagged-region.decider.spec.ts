import type { RegionEvents, RegionSpan } from '@roughmix/contracts/regions/region.events.js';
import type { WantedTag } from '@roughmix/contracts/shared/marks.js';
import { describe, expect, test } from '@jest/globals';
import type { ProjectCommand } from '../projects/project.decider.js';
import { eventsOf, folded, given } from '../testing/given.js';
import { aProject, type ProjectHistory, tagWith } from '../testing/project-history.js';

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
    given(tagged).when(removal('k1'), 'ana').thenRefused('region.not-yours');
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
