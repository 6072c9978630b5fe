import { describe, expect, test } from '@jest/globals';
import { mayEditComment, mayRateComment, mayWriteComment, seesDislikes } from '../comments/comment.access.js';
import { mayExportMarkers } from '../markers/marker.access.js';
import { mayEditNote, mayReadNote } from '../notes/note.access.js';
import { mayDrawRegion, mayEditRegion } from '../regions/region.access.js';
import { mayAddTodo, mayCompleteTodo, mayEditTodo, mayReplyToTodo } from '../todos/todo.access.js';
import { mayRemoveVersion, mayReplaceVersion } from '../versions/version.access.js';
import {
  accessNumber,
  type AccessNumber,
  isMember,
  mayAddVersion,
  mayDownload,
  mayEditPermissions,
  mayEditProject,
  mayInvite,
  mayLeave,
  mayRemoveProject,
  maySeeMembers,
  mayTakeOver,
  type ProjectForAccess,
  rightsOf,
  type Viewer,
  viewerOf,
} from './project.access.js';

const project: ProjectForAccess = {
  ownerUid: 'ana',
  visibility: 'public',
  started: true,
  removed: false,
  members: {
    carl: { access: 0, write: true },
    v0: { access: 0, write: false },
    v1: { access: 1, write: false },
    v2: { access: 2, write: false },
    v3: { access: 3, write: false },
  },
};
/** The columns of the truth table: owner, collaborator, viewers 0 to 3, visitor. */
const PEOPLE = ['ana', 'carl', 'v0', 'v1', 'v2', 'v3', 'zoe'] as const;

function seen(uid: string, of: ProjectForAccess = project): Viewer {
  const who = viewerOf(of, uid);
  if (who === null) throw new Error(`${uid} does not see it`);
  return who;
}
const own = (who: Viewer) => ({ authorUid: who.uid, uploaderUid: who.uid, initialLogin: false });
const others = { authorUid: 'dora', uploaderUid: 'dora', initialLogin: false };
const ofTutorial = { ...others, initialLogin: true };

describe('who may do what in a project', () => {
  test.each<[string, (who: Viewer) => boolean, string]>([
    ['see who is in it', maySeeMembers, 'yes yes yes yes yes yes no'],
    ['be one of them', isMember, 'yes yes yes yes yes yes no'],
    ['export markers', mayExportMarkers, 'yes yes yes yes yes yes no'],
    ['download a version', mayDownload, 'yes yes no no yes yes no'],
    ['write a comment or a reply', mayWriteComment, 'yes yes no yes no yes no'],
    ['edit or remove a comment of their own', (who) => mayEditComment(who, own(who)), 'yes yes no yes no yes no'],
    ["edit or remove another's comment", (who) => mayEditComment(who, others), 'no no no no no no no'],
    ["rate another's comment", (who) => mayRateComment(who, others), 'yes yes no yes no yes no'],
    ['rate a comment of their own', (who) => mayRateComment(who, own(who)), 'no no no no no no no'],
    ['draw a region', mayDrawRegion, 'yes yes no yes no yes no'],
    ['edit or remove a region of their own', (who) => mayEditRegion(who, own(who)), 'yes yes no yes no yes no'],
    ["edit or remove another's region", (who) => mayEditRegion(who, others), 'no no no no no no no'],
    ['add a todo', mayAddTodo, 'yes yes no no no no no'],
    ['complete a todo of their own', (who) => mayCompleteTodo(who, own(who)), 'yes yes yes yes yes yes no'],
    ["complete another's todo", (who) => mayCompleteTodo(who, others), 'yes yes no no no no no'],
    ['edit or remove a todo of their own', (who) => mayEditTodo(who, { ...own(who), isReply: false }), 'yes yes no no no no no'],
    ['reply to a todo', mayReplyToTodo, 'yes yes no yes no yes no'],
    ['edit or remove a reply of their own', (who) => mayEditTodo(who, { ...own(who), isReply: true }), 'yes yes no yes no yes no'],
    ["edit or remove another's todo", (who) => mayEditTodo(who, { ...others, isReply: false }), 'no no no no no no no'],
    ["edit or remove another's reply", (who) => mayEditTodo(who, { ...others, isReply: true }), 'no no no no no no no'],
    ['read the public note', (who) => mayReadNote(who, 'public'), 'yes yes yes yes yes yes yes'],
    ['write the public note', (who) => mayEditNote(who, 'public'), 'yes yes no no no no no'],
    ['read the private note', (who) => mayReadNote(who, 'private'), 'yes no no no no no no'],
    ['write the private note', (who) => mayEditNote(who, 'private'), 'yes no no no no no no'],
    ['take over from an erased owner', (who) => mayTakeOver(who, true), 'no yes no no no no no'],
    ['take over from an erased owner while there are no collaborators', (who) => mayTakeOver(who, false), 'no yes yes yes yes yes no'],
    ['add a version', mayAddVersion, 'yes yes no no no no no'],
    ['remove a version of their own', (who) => mayRemoveVersion(who, own(who)), 'yes yes yes yes yes yes no'],
    ["remove another's version", (who) => mayRemoveVersion(who, others), 'yes no no no no no no'],
    ['remove a version of the tutorial', (who) => mayRemoveVersion(who, ofTutorial), 'yes yes no no no no no'],
    ['replace a refused version of their own', (who) => mayReplaceVersion(who, own(who)), 'yes yes no no no no no'],
    ["replace another's refused version", (who) => mayReplaceVersion(who, others), 'yes no no no no no no'],
    ['edit name, description, visibility, completed', mayEditProject, 'yes no no no no no no'],
    ['invite', mayInvite, 'yes no no no no no no'],
    ['change permissions and remove members', mayEditPermissions, 'yes no no no no no no'],
    ['remove the project', mayRemoveProject, 'yes no no no no no no'],
    ['leave', mayLeave, 'no yes yes yes yes yes no'],
  ])('%s: owner, collaborator, viewers 0 to 3, visitor', (_what, may, expected) => {
    expect(PEOPLE.map((uid) => (may(seen(uid)) ? 'yes' : 'no')).join(' ')).toBe(expected);
  });

  test('only the author sees how many dislike a comment, even after losing the right to comment', () => {
    expect(PEOPLE.map((uid) => seesDislikes({ uid }, { authorUid: 'v0' }))).toEqual(PEOPLE.map((uid) => uid === 'v0'));
  });
});

describe('the role of a user in a project', () => {
  test('follows from their grant; a collaborator may do everything, whatever the number says', () => {
    expect(PEOPLE.map((uid) => [seen(uid).role, seen(uid).access])).toEqual([
      ['Owner', null],
      ['Collaborator', 3],
      ['Viewer', 0],
      ['Viewer', 1],
      ['Viewer', 2],
      ['Viewer', 3],
      ['Visitor', null],
    ]);
    expect(seen('carl').may).toEqual({ comment: true, download: true, write: true, owner: false });
    expect(seen('ana').may).toEqual({ comment: true, download: true, write: true, owner: true });
    expect(seen('zoe').may).toEqual({ comment: false, download: false, write: false, owner: false });
  });

  test.each<[string, Partial<ProjectForAccess>, readonly string[]]>([
    ['a public one exists for everyone', {}, PEOPLE],
    ['a private one for its members', { visibility: 'private' }, PEOPLE.slice(0, -1)],
    ['one without a version only for its owner, even when it is public', { started: false }, ['ana']],
    ['a removed one for no one', { removed: true }, []],
  ])('%s', (_what, facts, expected) => {
    expect(PEOPLE.filter((uid) => viewerOf({ ...project, ...facts }, uid) !== null)).toEqual(expected);
  });

  test('property names that every object has do not make anyone a member', () => {
    for (const uid of ['constructor', 'toString', '__proto__']) expect(viewerOf({ ...project, visibility: 'private' }, uid)).toBeNull();
  });
});

describe('access numbers', () => {
  test('are two switches: comment and download', () => {
    const pairs: readonly [AccessNumber, boolean, boolean][] = [
      [0, false, false],
      [1, true, false],
      [2, false, true],
      [3, true, true],
    ];
    for (const [access, comment, download] of pairs) {
      expect(accessNumber({ comment, download })).toBe(access);
      expect(rightsOf({ access, write: false })).toEqual({ comment, download, write: false, owner: false });
    }
  });
});
