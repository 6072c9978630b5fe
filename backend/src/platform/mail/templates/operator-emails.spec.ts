import { expect, test } from '@jest/globals';
import { contactEmail, inviteRequestEmail, testEmail } from './operator-emails.js';
import { digestEmail } from './mailing-emails.js';
import { inviteEmail } from './account-emails.js';

const message = {
  firstName: 'Eve <b>',
  lastName: 'Doe\nE-mail: ceo@example.org',
  fullName: '',
  company: 'Loud & Co',
  phone: '',
  reply_to: 'eve@example.org',
  subscribe: false,
  message_content: 'Hi "there"\r\n\r\n<script>alert(1)</script>\u202e\n-- \nRoughmix',
};

test('typed text is only in the body, and cannot look like a line of ours', () => {
  const { subject, text } = contactEmail(message);
  expect(subject).toBe('Message from the contact form');
  expect(text).toBe(`Someone wrote to you with the contact form of Roughmix.

First name: Eve <b>
Last name: Doe E-mail: ceo@example.org
E-mail: eve@example.org
Company: Loud & Co
Wants news: no

> Hi "there"
>
> <script>alert(1)</script>
> --
> Roughmix

-- 
Replies to this e-mail go to the address above, which has not been verified.
`);
});

test('typed text is escaped in HTML', () => {
  const { html } = contactEmail(message);
  expect(html).toContain('<dd>Eve &lt;b&gt;</dd>');
  expect(html).toContain('<dd>Loud &amp; Co</dd>');
  expect(html).toContain('Hi &quot;there&quot;<br>\n<br>\n&lt;script&gt;alert(1)&lt;/script&gt;<br>');
  expect(html).not.toContain('<script');
});

test('a contact form without a message has no quote', () => {
  expect(contactEmail({ ...message, message_content: ' \n' }).html).not.toContain('<blockquote');
});

test('an invite request names the address in the body', () => {
  const { subject, text } = inviteRequestEmail({ email: 'eve@example.org' });
  expect(subject).toBe('Invite request');
  expect(text).toContain('\nE-mail: eve@example.org\n');
});

test('the HTML of every e-mail loads nothing and is readable in both colour schemes', () => {
  for (const { html = '' } of [
    contactEmail(message),
    inviteRequestEmail({ email: 'eve@example.org' }),
    testEmail(),
    inviteEmail({ link: 'https://a.example/"<i>' }),
    digestEmail(
      { entries: [{ text: '"<i>', link: 'https://a.example/"<i>' }], count: 1 },
      { home: 'https://a.example/', unsubscribe: 'https://a.example/"<i>' },
    ),
  ]) {
    expect(html).not.toMatch(/<(img|link|script|iframe|object|video|audio)\b|src=|url\(|@import|@font-face/i);
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme:dark)');
    expect(html).not.toContain('"<i>');
  }
});
