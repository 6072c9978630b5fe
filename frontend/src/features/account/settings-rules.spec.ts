import { describe, expect, test } from '@jest/globals';
import { selfCalled } from '../../testing/people-and-projects';
import { NO_PASSWORD, profileChanges, profileOf, settingsProblem, switchChanges } from './settings-rules';

const maren = selfCalled('Maren', { lastName: 'Holt', username: 'Maren Holt', info: { location: 'Bergen', about: '', influences: '' } });
const draft = profileOf(maren);

test.each([
  [{}, null],
  [{ firstName: '' }, 'Enter your first name'],
  [{ lastName: '' }, 'Enter your last name'],
  [{ firstName: 'Maren Ida' }, 'Invalid Characters in first/last name'],
  [{ username: 'maren_holt' }, 'Invalid Characters in new username'],
  [{ username: '' }, 'Invalid Characters in new username'],
  [{ username: 'M'.repeat(31) }, 'Usernames have at most 30 characters'],
  [{ location: 'x'.repeat(81) }, 'Profile texts have at most 80 characters'],
  [{ about: 'x'.repeat(2_001) }, 'Profile texts have at most 2000 characters'],
  [{ influences: 'x'.repeat(501) }, 'Profile texts have at most 500 characters'],
])('%j: %s', (changes, message) => {
  expect(settingsProblem({ ...draft, ...changes }, NO_PASSWORD)?.message ?? null).toBe(message);
});

test.each([
  ['', '', null],
  ['lowtide77', 'lowtide77', null],
  ['low tide 77', 'low tide', 'Invalid Characters in your new password'],
  ['lowtide77', 'lowtide78', 'New Passwords do not match.'],
  ['', 'lowtide77', 'New Passwords do not match.'],
  ['tide77', 'tide77', 'Passwords need at least 8 characters'],
])('new password "%s", confirmed as "%s": %s', (newPassword, confirmPassword, message) => {
  expect(settingsProblem(draft, { currentPassword: 'before77', newPassword, confirmPassword })?.message ?? null).toBe(message);
});

describe('what is sent', () => {
  test('is nothing where nothing changed, and for white space around the username', () => {
    expect(profileChanges(maren, draft)).toBeNull();
    expect(profileChanges(maren, { ...draft, username: '  Maren Holt ' })).toBeNull();
    expect(switchChanges(maren.settings, maren.settings, ['pushNotifs', 'mailNotifs', 'profile'])).toBeNull();
  });

  test('is what changed', () => {
    expect(profileChanges(maren, { ...draft, lastName: 'Holm', username: ' maren ' })).toEqual({ lastName: 'Holm', username: 'maren' });
    expect(profileChanges(maren, { ...draft, location: '', about: 'Tape and tides.' })).toEqual({ info: { location: '', about: 'Tape and tides.' } });
  });

  test('is each switch that changed, of the groups asked for', () => {
    const { settings } = maren;
    const chosen = { ...settings, mailNotifs: { todoReminders: true, digest: true }, profile: { hideFromSearch: true, noindex: false } };
    expect(switchChanges(settings, chosen, ['pushNotifs', 'mailNotifs'])).toEqual({ mailNotifs: { digest: true } });
    expect(switchChanges(settings, chosen, ['profile'])).toEqual({ profile: { hideFromSearch: true } });
    expect(switchChanges(settings, chosen, ['mailNotifs', 'profile'])).toEqual({ mailNotifs: { digest: true }, profile: { hideFromSearch: true } });
  });
});
