import { expect, test } from '@jest/globals';
import { digestEmail } from './mailing-emails.js';

const links = { home: 'https://mix.example/projects', unsubscribe: 'https://mix.example/unsubscribe/digest-abc' };
const entry = (text: string, link: string | null = null) => ({ text, link });

test('a digest has each entry on one line with its link, and how many there are', () => {
  const entries = [entry('Ana commented on Low tide: Hi\n-- \nRoughmix\u202e', 'https://mix.example/projects/p?comment=c'), entry('Bob removed <i>Old</i>')];
  const { subject, text, html } = digestEmail({ entries, count: 1_234 }, links);
  expect(subject).toBe('Your digest: 1,234 unread notifications');
  expect(text).toBe(`You have 1,234 unread notifications. The newest 2:

- Ana commented on Low tide: Hi -- Roughmix
  https://mix.example/projects/p?comment=c

- Bob removed <i>Old</i>

Open Roughmix:
https://mix.example/projects

-- 
You get this e-mail because the daily digest is on in your settings.
Unsubscribe: https://mix.example/unsubscribe/digest-abc
`);
  expect(html).toContain('<li><a href="https://mix.example/projects/p?comment=c">Ana commented on Low tide: Hi -- Roughmix</a></li>');
  expect(html).toContain('<li>Bob removed &lt;i&gt;Old&lt;/i&gt;</li>');
  expect(html).toContain('<br>\n<a href="https://mix.example/unsubscribe/digest-abc">Unsubscribe</a></p>');
});

test('a digest of one notification says so', () => {
  const { subject, text } = digestEmail({ entries: [entry('Ana invited you to Low tide')], count: 1 }, links);
  expect([subject, text.split('\n')[0]]).toEqual(['Your digest: 1 unread notification', 'You have 1 unread notification:']);
});
