import { describe, expect, test } from '@jest/globals';
import { defaultUsername, type WelcomeDraft, welcomeProblem } from './welcome-rules';
import { welcomeStage } from './welcome-stage';

const complete: WelcomeDraft = {
  firstName: 'Maren',
  lastName: 'Holt',
  username: '',
  newPassword: 'lowtide77',
  confirmPassword: 'lowtide77',
};
const messageFor = (changes: Partial<WelcomeDraft>, hasPhoto = true) => welcomeProblem({ ...complete, ...changes }, hasPhoto)?.message ?? null;

test.each([
  [{}, null],
  [{ firstName: 'Maren Ida' }, 'Invalid Characters in first/last name'],
  [{ lastName: 'van Holt' }, 'Invalid Characters in first/last name'],
  [{ lastName: 'Holt\u00a0' }, 'Invalid Characters in first/last name'],
  [{ firstName: 'Mar\u200Ben' }, 'Invalid Characters in first/last name'],
  [{ lastName: '\u200B' }, 'Invalid Characters in first/last name'],
  [{ confirmPassword: 'lowtide78' }, 'Passwords do not match.'],
  [{ newPassword: 'low tide 77', confirmPassword: 'low tide 77' }, 'Invalid Characters in password'],
  [{ newPassword: 'tide77', confirmPassword: 'tide77' }, 'Passwords need at least 8 characters'],
  [{ newPassword: 'x'.repeat(129), confirmPassword: 'x'.repeat(129) }, 'Passwords have at most 128 characters'],
  [{ firstName: 'M'.repeat(51) }, 'Names have at most 50 characters'],
  [{ username: '  Maren  ' }, null],
  [{ username: 'maren_holt' }, 'Invalid Characters in new username'],
  [{ username: 'M'.repeat(31) }, 'Usernames have at most 30 characters'],
])('%j: %s', (changes, message) => {
  expect(messageFor(changes)).toBe(message);
});

describe('a form that breaks several rules', () => {
  const everything = { firstName: 'Maren Ida', newPassword: 'low tide', confirmPassword: 'tide', username: '_' };

  test.each([
    ['the names', everything, 'firstName', 'Invalid Characters in first/last name'],
    ['the confirmation', { ...everything, firstName: 'Maren' }, 'confirmPassword', 'Passwords do not match.'],
    ['the password', { ...everything, firstName: 'Maren', confirmPassword: 'low tide' }, 'newPassword', 'Invalid Characters in password'],
    ['the picture', { username: '_' }, 'photo', 'Profile Picture required.'],
  ])('names %s before the others', (_what, changes, field, message) => {
    expect(welcomeProblem({ ...complete, ...changes }, false)).toEqual({ field, message });
  });
});

test('an empty username defaults to first plus last name', () => {
  expect(defaultUsername(complete)).toBe('Maren Holt');
  expect(defaultUsername({ firstName: 'Maren', lastName: '' })).toBe('Maren');
});

test.each([
  [0, 'form'],
  [1, 'done'],
  [0.5, 'done'],
  [-1, 'completing'],
  [Number.NaN, 'completing'],
])('a completion of %d leads to: %s', (completion, stage) => {
  expect(welcomeStage(completion)).toBe(stage);
});
