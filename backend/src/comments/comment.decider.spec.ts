import type { Rating } from '@roughmix/contracts/comments/comment.events.js';
import type { Marks } from '@roughmix/contracts/shared/marks.js';
import { describe, expect, test } from '@jest/globals';
import type { ProjectCommand } from '../projects/project.decider.js';
import { eventsOf, folded, given } from '../testing/given.js';
import { aProject, type ProjectHistory, tagWith } from '../testing/project-history.js';
import type { CommentCommands } from './comment.decider.js';

const shared = aProject()
  .ownedBy('ana')
  .sharedWith('bob')
  .sharedWith('v0', { access: 0 })
  .sharedWith('carl', { write: true })
  .withVersion('v1', { duration: 60.0006 });
const said = shared.withComment('c1', { by: 'bob', content: 'Louder', taggedUsers: ['ana', 'carl'] });
const unmarked: Marks = { taggedRegions: [], stamp: null };
const silenced = (history: ProjectHistory) => history.withPermissions('bob', { access: 1, write: false }, { access: 2, write: false });

const add = (facts: Partial<CommentCommands['AddComment']> = {}): ProjectCommand => ({
  type: 'AddComment',
  data: { commentId: 'c1', kind: 'text', content: 'Louder', taggedUsers: ['ana'], versionId: null, marks: {}, ...facts },
});
const reply = (parentCommentId: string): ProjectCommand => ({
  type: 'ReplyToComment',
  data: { commentId: 'c9', parentCommentId, content: 'Yes', taggedUsers: [], versionId: null, marks: {} },
});
const edit = (facts: Omit<CommentCommands['EditComment'], 'commentId'>): ProjectCommand => ({ type: 'EditComment', data: { commentId: 'c1', ...facts } });
const removal = (commentId: string): ProjectCommand => ({ type: 'RemoveComment', data: { commentId } });

describe('commenting', () => {
  test.each(['ana', 'bob', 'carl'])('%s may comment; without a version the comment is attached to the current one', (uid) => {
    given(shared)
      .when(add(), uid)
      .then([{ type: 'CommentAdded', data: { commentId: 'c1', kind: 'text', content: 'Louder', taggedUsers: ['ana'], versionId: 'v1', marks: unmarked } }]);
  });

  test('happens once, however late the command is repeated', () => {
    given(said).when(add(), 'bob').thenNothing();
    given(said.withReply('c9', { by: 'carl', to: 'c1' }))
      .when(reply('c1'), 'carl')
      .thenNothing();
  });

  test('is refused without the right to comment', () => {
    given(shared).when(add(), 'v0').thenRefused('project.not-allowed');
    given(shared.made('public')).when(add(), 'zoe').thenRefused('project.not-allowed');
    given(silenced(said)).when(reply('c1'), 'bob').thenRefused('project.not-allowed');
  });

  test('a comment is attached to the version it names; to none if all versions are removed', () => {
    expect(eventsOf(given(shared.withVersion('v2')).when(add({ versionId: 'v1' }), 'bob'))).toMatchObject([{ data: { versionId: 'v1' } }]);
    expect(eventsOf(given(shared.withVersion('v2')).when(add(), 'bob'))).toMatchObject([{ data: { versionId: 'v2' } }]);
    expect(eventsOf(given(shared.withoutVersion('v1')).when(add(), 'bob'))).toMatchObject([{ data: { versionId: null } }]);
    given(shared.withoutVersion('v1'))
      .when(add({ versionId: 'v1' }), 'bob')
      .thenRefused('version.not-found');
  });

  test('a tagged region must exist; anyone may have drawn it', () => {
    const marks = { taggedRegions: [tagWith('r1')] };
    expect(eventsOf(given(shared.withRegion('r1', { by: 'carl' })).when(add({ marks }), 'bob'))).toMatchObject([
      { data: { marks: { taggedRegions: ['r1'], stamp: null } } },
    ]);
    given(shared).when(add({ marks }), 'bob').thenRefused('region.not-found');
  });

  test.each([
    [0, 'taken'],
    [60, 'taken'],
    [60.001, 'taken'],
    [60.002, 'stamp.out-of-bounds'],
    [-0.001, 'stamp.out-of-bounds'],
  ])('a stamp at %p s of a track of 60.0006 s: %s', (at, outcome) => {
    const { answer } = given(shared).when(add({ marks: { stamp: { versionId: 'v1', at } } }), 'bob');
    expect('refused' in answer ? answer.refused : 'taken').toBe(outcome);
  });

  test('a timestamp must be within an existing version', () => {
    const marks = { stamp: { versionId: 'v1', at: 1 } };
    given(shared.withVersion('v2').withoutVersion('v1')).when(add({ marks }), 'bob').thenRefused('version.not-found');
  });
});

describe('replying', () => {
  test("threads have one level: a reply to a reply is attached to the thread's first comment", () => {
    const threaded = said.withReply('c2', { by: 'ana', to: 'c1' });
    for (const to of ['c1', 'c2'])
      expect(eventsOf(given(threaded).when(reply(to), 'carl'))).toMatchObject([{ type: 'CommentReplyAdded', data: { parentCommentId: 'c1' } }]);
  });

  test.each<[string, ProjectHistory, string]>([
    ['one that never existed', said, 'c8'],
    ['a removed one', said.withoutComment('c1', { by: 'bob', gone: ['c1'] }), 'c1'],
    ['a removed one that stays for its replies', said.withReply('c2', { to: 'c1' }).withoutComment('c1', { by: 'bob', gone: [] }), 'c1'],
    ['a removed reply', said.withReply('c2', { to: 'c1' }).withoutComment('c2', { gone: ['c2'], replyTo: 'c1' }), 'c2'],
  ])('%s is not found', (_what, history, to) => given(history).when(reply(to), 'carl').thenRefused('comment.not-found'));
});

describe('editing a comment', () => {
  const from = { taggedRegions: ['r1'], stamp: { versionId: 'v1', at: 5 } };
  const marked = shared.withRegion('r1').withComment('c1', { by: 'bob', content: 'Louder', taggedUsers: ['ana', 'carl'], tags: ['r1'], stamp: from.stamp });
  const edited = (facts: object) => [
    { type: 'CommentEdited', data: { commentId: 'c1', content: 'Louder', taggedUsers: ['ana', 'carl'], from, to: from, ...facts } },
  ];

  test.each<[string, Omit<CommentCommands['EditComment'], 'commentId'>, object]>([
    ['the words', { content: 'Softer', taggedUsers: [] }, { content: 'Softer', taggedUsers: [] }],
    ['the stamp alone', { stamp: { versionId: 'v1', at: 6 } }, { to: { ...from, stamp: { versionId: 'v1', at: 6 } } }],
    ['the stamp taken away', { stamp: null }, { to: { ...from, stamp: null } }],
    ['the tags cleared', { taggedRegions: [] }, { to: { ...from, taggedRegions: [] } }],
  ])('%s: missing fields stay as they are, including mentions', (_what, change, facts) => {
    expect(eventsOf(given(marked).when(edit(change), 'bob'))).toEqual(edited(facts));
  });

  test('an edit that changes nothing stores no event', () => {
    given(marked).when(edit({}), 'bob').thenNothing();
    given(marked)
      .when(edit({ content: 'Louder', taggedUsers: ['ana', 'carl'], taggedRegions: [tagWith('r1')], stamp: from.stamp }), 'bob')
      .thenNothing();
  });

  test('text can be edited after its region or version is gone; new marks must exist', () => {
    const regionGone = marked.withoutRegion('r1');
    expect(eventsOf(given(regionGone).when(edit({ content: 'Softer' }), 'bob'))).toEqual(edited({ content: 'Softer' }));
    expect(eventsOf(given(marked.withoutVersion('v1')).when(edit({ content: 'Softer' }), 'bob'))).toEqual(edited({ content: 'Softer' }));
    given(regionGone)
      .when(edit({ taggedRegions: [tagWith('r2')] }), 'bob')
      .thenRefused('region.not-found');
    given(marked.withoutVersion('v1'))
      .when(edit({ stamp: { versionId: 'v1', at: 6 } }), 'bob')
      .thenRefused('version.not-found');
  });

  test('only the author may edit it, and only while they are allowed to comment', () => {
    for (const uid of ['ana', 'carl', 'v0'])
      given(marked)
        .when(edit({ content: 'x' }), uid)
        .thenRefused('comment.not-yours');
    given(silenced(marked))
      .when(edit({ content: 'x' }), 'bob')
      .thenRefused('comment.not-yours');
  });

  test('an image comment cannot be edited as text', () =>
    given(shared.withComment('c1', { by: 'bob', kind: 'image', content: 'a.png' }))
      .when(edit({ content: 'x' }), 'bob')
      .thenRefused('comment.not-text'));

  test('a removed comment is not found', () =>
    given(said.withReply('c2', { to: 'c1' }).withoutComment('c1', { by: 'bob', gone: [] }))
      .when(edit({ content: 'x' }), 'bob')
      .thenRefused('comment.not-found'));
});

describe('the image of a comment', () => {
  const announced = shared.withComment('c1', { by: 'bob', kind: 'image', content: 'a.png' });
  const image = { commentId: 'c1', uploadId: 'u1', key: 'k', contentType: 'image/png', width: 4, height: 3, size: 70 };
  const command: ProjectCommand = { type: 'AddCommentImage', data: image };

  test('is added once, by its author', () => {
    given(announced)
      .when(command, 'bob')
      .then([{ type: 'CommentImageAdded.v2', data: image }]);
    given(announced.withImage('c1', { by: 'bob' }))
      .when(command, 'bob')
      .thenRefused('upload.used');
    given(announced).when(command, 'ana').thenRefused('comment.not-yours');
  });

  test('cannot be added to a text comment', () => given(said).when(command, 'bob').thenRefused('comment.not-found'));
});

describe('removing a comment', () => {
  const threaded = said.withReply('c2', { by: 'ana', to: 'c1' }).withReply('c3', { by: 'carl', to: 'c1' });
  const tombstone = threaded.withoutComment('c1', { by: 'bob', gone: [] });

  test('a comment without replies disappears, and the event lists its tagged regions', () => {
    const tagged = shared.withRegion('r1').withComment('c1', { by: 'bob', tags: ['r1'] });
    given(tagged)
      .when(removal('c1'), 'bob')
      .then([{ type: 'CommentRemoved', data: { commentId: 'c1', parentCommentId: null, taggedRegions: ['r1'], gone: ['c1'] } }]);
  });

  test('a comment with replies stays as a placeholder until the last reply is removed', () => {
    given(threaded)
      .when(removal('c1'), 'bob')
      .then([{ type: 'CommentRemoved', data: { commentId: 'c1', parentCommentId: null, taggedRegions: [], gone: [] } }]);
    given(tombstone)
      .when(removal('c2'), 'ana')
      .then([{ type: 'CommentRemoved', data: { commentId: 'c2', parentCommentId: 'c1', taggedRegions: [], gone: ['c2'] } }]);
    const almost = tombstone.withoutComment('c2', { gone: ['c2'], replyTo: 'c1' });
    given(almost)
      .when(removal('c3'), 'carl')
      .then([{ type: 'CommentRemoved', data: { commentId: 'c3', parentCommentId: 'c1', taggedRegions: [], gone: ['c3', 'c1'] } }]);
    expect(folded(almost.withoutComment('c3', { by: 'carl', gone: ['c3', 'c1'], replyTo: 'c1' })).comments).toEqual({});
  });

  test('a comment that was not removed stays when its last reply is removed', () => {
    const one = said.withReply('c2', { by: 'ana', to: 'c1' });
    given(one)
      .when(removal('c2'), 'ana')
      .then([{ type: 'CommentRemoved', data: { commentId: 'c2', parentCommentId: 'c1', taggedRegions: [], gone: ['c2'] } }]);
  });

  test('a second removal is refused as not found', () => given(tombstone).when(removal('c1'), 'bob').thenRefused('comment.not-found'));

  test('only the author may remove it, and only while they are allowed to comment', () => {
    for (const uid of ['ana', 'carl', 'v0']) given(said).when(removal('c1'), uid).thenRefused('comment.not-yours');
    given(silenced(said)).when(removal('c1'), 'bob').thenRefused('comment.not-yours');
  });
});

describe('rating a comment', () => {
  const rate = (type: Rating, on: boolean): ProjectCommand => ({ type: 'RateComment', data: { commentId: 'c1', type, on } });
  const from = (rating: Rating | null) => (rating === null ? said : said.rated('c1', { by: 'ana', to: rating }));

  test.each<[Rating | null, Rating, boolean, Rating | null]>([
    [null, 'likes', true, 'likes'],
    [null, 'negs', true, 'negs'],
    ['likes', 'negs', true, 'negs'],
    ['negs', 'likes', true, 'likes'],
    ['likes', 'likes', false, null],
    ['negs', 'negs', false, null],
  ])('from %p, %s %p gives %p', (before, type, on, to) => {
    given(from(before))
      .when(rate(type, on), 'ana')
      .then([{ type: 'CommentRated', data: { commentId: 'c1', from: before, to } }]);
  });

  test.each<[Rating | null, Rating, boolean]>([
    ['likes', 'likes', true],
    ['negs', 'negs', true],
    [null, 'likes', false],
    ['likes', 'negs', false],
    ['negs', 'likes', false],
  ])('from %p, %s %p changes nothing', (before, type, on) => given(from(before)).when(rate(type, on), 'ana').thenNothing());

  test('each person has one rating', () => {
    const both = said.rated('c1', { by: 'ana', to: 'likes' }).rated('c1', { by: 'carl', to: 'negs' }).rated('c1', { by: 'ana', from: 'likes', to: null });
    expect(folded(both).comments['c1']?.ratings).toEqual({ carl: 'negs' });
  });

  test('no one may rate their own comment or a removed one, or rate without the right to comment', () => {
    given(said).when(rate('likes', true), 'bob').thenRefused('comment.own');
    given(said).when(rate('likes', true), 'v0').thenRefused('project.not-allowed');
    given(said.withoutComment('c1', { by: 'bob', gone: ['c1'] }))
      .when(rate('likes', true), 'ana')
      .thenRefused('comment.not-found');
  });
});
