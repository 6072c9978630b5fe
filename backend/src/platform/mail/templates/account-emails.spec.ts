import { expect, test } from '@jest/globals';
import { inviteEmail, newDeviceEmail, passwordChangedEmail, resetEmail, zonedTime } from './account-emails.js';

const link = 'https://roughmix.example/passwordReset/abc';
const at = Date.UTC(2026, 10, 23, 23, 12);

test('a reset e-mail says how long its link works, in both parts', () => {
  const { subject, text, html } = resetEmail({ link });
  expect(subject).toBe('Reset your password');
  expect(text).toBe(`Someone asked to reset the password of your Roughmix account.

The link below works once and for one hour. A newer link replaces it.

Choose a new password:
${link}

-- 
If it was not you, you can ignore this e-mail: your password stays as it is.
`);
  expect(html).toContain(`<a class="button" href="${link}">Choose a new password</a>`);
  expect(html).toContain('The link below works once and for one hour.');
});

test('an invite e-mail leads to the welcome page', () => {
  const { subject, text, html } = inviteEmail({ link: 'https://roughmix.example/invite/abc' });
  expect(subject).toBe('Your invite to Roughmix');
  expect(text).toContain('Finish your profile:\nhttps://roughmix.example/invite/abc\n');
  expect(html).toContain('It is valid for 7 days');
});

test.each([
  [null, 'Monday 23 November 2026 at 23:12 (UTC)'],
  ['Europe/Berlin', 'Tuesday 24 November 2026 at 00:12 (Europe/Berlin)'],
  ['America/Los_Angeles', 'Monday 23 November 2026 at 15:12 (America/Los_Angeles)'],
])('a time in the zone %s reads %s', (zone, text) => {
  expect(zonedTime({ at, zone })).toBe(text);
});

test('security e-mails name the time in the zone of the person, and the device', () => {
  const resetLink = 'https://roughmix.example/passwordReset';
  const changed = passwordChangedEmail({ at, zone: 'Europe/Berlin', resetLink });
  expect(changed.subject).toBe('Your password was changed');
  expect(changed.text).toContain('was changed on Tuesday 24 November 2026 at 00:12 (Europe/Berlin).');
  const signedIn = newDeviceEmail({ device: 'Firefox on Linux', by: 'password', at, zone: null, resetLink });
  expect(signedIn.subject).toBe('New sign-in to Roughmix');
  expect(signedIn.text).toContain('Device: Firefox on Linux\nTime: Monday 23 November 2026 at 23:12 (UTC)\n');
  for (const { text } of [changed, signedIn]) expect(text).toContain(`\n${resetLink}\n`);
});
