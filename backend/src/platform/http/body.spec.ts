import { describe, expect, test } from '@jest/globals';
import { NewCollectionBody } from '@roughmix/contracts/collections/collection.api.js';
import { EditCommentBody, NewCommentBody } from '@roughmix/contracts/comments/comment.api.js';
import { NewUploadBody } from '@roughmix/contracts/media/upload.api.js';
import type { NoteChange } from '@roughmix/contracts/notes/note.api.js';
import { EditPermissionsBody, EditProjectBody, InviteUsersBody, NewProjectBody } from '@roughmix/contracts/projects/project.api.js';
import { RemovalBody } from '@roughmix/contracts/shared/removal.api.js';
import { EditUserBody, SessionBody } from '@roughmix/contracts/users/user.api.js';
import { Refused } from '../../kernel/refusal.js';
import { parseBody } from './body.js';

const refusal = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error instanceof Refused ? { code: error.code, ...error.extras } : error;
  }
  return 'accepted';
};
const id = 'a'.repeat(22);

describe('a body', () => {
  test('keeps declared fields and drops ignored ones', () => {
    const body = parseBody(NewCommentBody, { projectId: id, user: { uid: 'x' }, submission: { content: ' hi ', isReply: false, stamp: null } });
    expect(JSON.parse(JSON.stringify(body))).toEqual({ projectId: id, submission: { content: ' hi ', stamp: null } });
  });

  test('with an unknown field is refused, at any depth and whatever its name', () => {
    expect(refusal(() => parseBody(NewCommentBody, { projectId: id, submission: { content: 'x' }, colour: 1 }))).toEqual({
      code: 'request.unknown-field',
      field: 'colour',
    });
    expect(refusal(() => parseBody(NewCommentBody, { projectId: id, submission: { content: 'x', stamp: { versionId: id, at: 1, user: 1 } } }))).toEqual({
      code: 'request.unknown-field',
      field: 'submission.stamp.user',
    });
    for (const field of ['__proto__', 'constructor', 'toString']) {
      const raw: unknown = JSON.parse(`{"projectId":"${id}","submission":{"content":"x","${field}":{}}}`);
      expect(refusal(() => parseBody(NewCommentBody, raw))).toEqual({ code: 'request.unknown-field', field: `submission.${field}` });
    }
  });

  test.each([
    ['where a text is expected', '{"submission":{"projectName":{"constructor":{"prototype":{}}}}}', 'submission.projectName.constructor'],
    ['in a list', '{"submission":{"projectName":"x","invitedUsers":[{"__proto__":1}]}}', 'submission.invitedUsers.__proto__'],
    ['in an ignored field', '{"submission":{"projectName":"x"},"user":{"constructor":1}}', 'user.constructor'],
  ])('with an unsafe name %s is refused', (_where, text, field) => {
    expect(refusal(() => parseBody(NewProjectBody, JSON.parse(text)))).toEqual({ code: 'request.unknown-field', field });
  });

  test('over a limit is refused with the code, the limit and the field', () => {
    expect(refusal(() => parseBody(NewProjectBody, { submission: { projectName: 'x'.repeat(121) } }))).toEqual({
      code: 'limit.projectName',
      limit: 120,
      field: 'projectName',
    });
    expect(refusal(() => parseBody(NewProjectBody, { submission: { projectName: 'x'.repeat(120) } }))).toBe('accepted');
  });

  test('is measured in UTF-16 units: an emoji counts 2, its variation selector 1', () => {
    const named = (projectName: string): unknown => refusal(() => parseBody(NewProjectBody, { submission: { projectName } }));
    expect(named('🎸'.repeat(60))).toBe('accepted');
    expect(named('🎸'.repeat(60).concat('x'))).toMatchObject({ code: 'limit.projectName' });
    expect(named('❤️'.repeat(60))).toBe('accepted');
    expect(named('❤️'.repeat(61))).toMatchObject({ code: 'limit.projectName' });
    const login = (timeZone: string): unknown => refusal(() => parseBody(SessionBody, { timeZone }));
    expect(login('🎸'.repeat(32))).toBe('accepted');
    expect(login('🎸'.repeat(33))).toMatchObject({ code: 'request.invalid', errors: [{ field: 'timeZone', code: 'maxLength' }] });
  });

  test('ignores the type and the filename of what it removes, but of nothing else', () => {
    expect(refusal(() => parseBody(RemovalBody, { type: 'image', filename: 'desk.png', userReplies: [] }))).toBe('accepted');
    for (const field of ['type', 'filename']) {
      expect(refusal(() => parseBody(EditCommentBody, { submission: { content: 'x', [field]: 'x' } }))).toEqual({
        code: 'request.unknown-field',
        field: `submission.${field}`,
      });
      expect(refusal(() => parseBody(NewProjectBody, { submission: { projectName: 'x' }, [field]: 'x' }))).toEqual({ code: 'request.unknown-field', field });
    }
  });
});

describe('a text in a body', () => {
  const comment = (content: string): string => parseBody(NewCommentBody, { projectId: id, submission: { content } }).submission.content;
  const title = (projectName: string): string => parseBody(NewProjectBody, { submission: { projectName } }).submission.projectName;
  const saved = (change: NoteChange) => parseBody(EditProjectBody, { submission: { owner: { notes: { public: change } } } }).submission.owner?.notes.public;

  test('has line feeds and no control characters but tabs', () => {
    expect(comment(' a\r\nb\rc\u2028d\u0000\t\u009b ')).toBe(' a\nb\nc\nd\t ');
    expect(title('Low\u0000 \u2029\r\nTide\u007f')).toBe('Low  Tide');
    expect(saved('a\r\n\u0000b')).toBe('a\nb');
    expect(saved({ at: 1, removed: 0, inserted: 'a\r\n\u0000b', hash: 'x' })).toEqual({ at: 1, removed: 0, inserted: 'a\nb', hash: 'x' });
  });

  test('is measured after that', () => {
    expect(title(`${'x'.repeat(120)}\u0000\r\n`)).toBe('x'.repeat(120));
    expect(refusal(() => title('x\u0000'.repeat(121)))).toMatchObject({ code: 'limit.projectName' });
  });

  test('that shows nothing is empty, but not in a note', () => {
    expect([comment(' \n\u200b\u3164'), title('\u202e\u2800'), saved(' \u200b')]).toEqual(['', '', ' \u200b']);
    expect(refusal(() => parseBody(NewCollectionBody, { submission: { title: '\u200b' } }))).toMatchObject({ code: 'request.invalid' });
  });

  test('keeps in names of people what they are refused for', () => {
    expect(parseBody(EditUserBody, { firstName: 'A\u0000\u202e', username: ' a\u0007b ' })).toEqual({ firstName: 'A\u0000\u202e', username: 'a\u0007b' });
  });

  test('loses in file names what changes the direction of text', () => {
    const upload = { purpose: 'version', contentType: 'audio/wav', size: 1, projectId: id };
    expect(parseBody(NewUploadBody, { ...upload, filename: ' song\u202e\0gpj\u200f.wav ' }).filename).toBe('songgpj.wav');
    expect(refusal(() => parseBody(NewUploadBody, { ...upload, filename: '\u202e' }))).toMatchObject({ code: 'request.invalid' });
  });

  test('stays as it was sent in the body itself, over which the request is hashed', () => {
    const body = { submission: { projectName: ' a\r\n', owner: { notes: { public: { at: 0, removed: 0, inserted: '\r', hash: 'x' } } } } };
    const sent = structuredClone(body);
    parseBody(EditProjectBody, body);
    expect(body).toEqual(sent);
  });
});

describe('a refused body', () => {
  test('of the wrong shape is refused with every invalid field', () => {
    expect(refusal(() => parseBody(NewCommentBody, { submission: [] }))).toMatchObject({
      code: 'request.invalid',
      errors: [{ field: 'projectId' }, { field: 'submission' }],
    });
    expect(refusal(() => parseBody(NewProjectBody, { submission: { projectName: 3 } }))).toMatchObject({
      code: 'request.invalid',
      errors: [{ field: 'submission.projectName' }],
    });
    expect(refusal(() => parseBody(EditPermissionsBody, { permissionDiffs: [3] }))).toMatchObject({ code: 'request.invalid' });
    expect(refusal(() => parseBody(EditCommentBody, undefined))).toMatchObject({ code: 'request.invalid' });
    expect(refusal(() => parseBody(EditCommentBody, 'text'))).toEqual({ code: 'request.invalid' });
  });

  test.each([
    ['a line', NewProjectBody, { submission: { projectName: 'Low\ud83c' } }, 'submission.projectName'],
    ['prose', NewCommentBody, { projectId: id, submission: { content: '\udfa7Tide' } }, 'submission.content'],
  ])('with half a surrogate pair in %s is refused', (_what, shape, body, field) => {
    expect(refusal(() => parseBody(shape as typeof NewProjectBody, body))).toMatchObject({
      code: 'request.invalid',
      errors: [{ field, code: 'isWellFormed' }],
    });
  });

  test('nested deeper than 20 levels is refused', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 21; level += 1) deep = { content: deep };
    expect(refusal(() => parseBody(NewCommentBody, deep))).toEqual({ code: 'request.invalid' });
  });

  test('is reduced to one line where its class requires it', () => {
    expect(parseBody(NewProjectBody, { submission: { projectName: '  Low\r\nTide ' } }).submission.projectName).toBe('Low Tide');
  });

  test('with an empty invitation is refused', () => {
    expect(refusal(() => parseBody(InviteUsersBody, { invitedUsers: [] }))).toMatchObject({ code: 'invite.nobody' });
  });
});
