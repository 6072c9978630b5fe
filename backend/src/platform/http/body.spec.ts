import { describe, expect, test } from '@jest/globals';
import { EditCommentBody, NewCommentBody } from '@roughmix/contracts/comments/comment.api.js';
import { EditPermissionsBody, InviteUsersBody, NewProjectBody } from '@roughmix/contracts/projects/project.api.js';
import { RemovalBody } from '@roughmix/contracts/shared/removal.api.js';
import { SessionBody } from '@roughmix/contracts/users/user.api.js';
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
