import { expect, test } from '@jest/globals';
import { emailFrom } from './email-address.js';

test.each([
  [' Ana.Reyes@Example.ORG ', 'ana.reyes@example.org'],
  ['ana+mix@mail.example.org', 'ana+mix@mail.example.org'],
  [`${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.org`, null],
  ['ana@localhost', null],
  ['ana', null],
  ['', null],
  ['ana@example.org, bob@example.org', null],
  ['Ana <ana@example.org>', null],
  ['"ana reyes"@example.org', null],
  ['ana@example.org\r\nBcc: bob@example.org', null],
])('%j is the address %j', (text, email) => {
  expect(emailFrom(text)).toBe(email);
});
