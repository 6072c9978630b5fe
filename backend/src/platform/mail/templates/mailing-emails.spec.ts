import { expect, test } from '@jest/globals';
import { digestEmail, moreRemindersEmail, reminderEmail } from './mailing-emails.js';

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

test('a reminder has its time in the subject, and its sentence on one line with the link in both parts', () => {
  const link = 'https://mix.example/projects/p?todo=t';
  const reminder = { label: '15 minutes before', at: 0 } as const;
  const facts = { reminder, about: ': Tune\n-- \n<i>it</i> (Low tide)', link, unsubscribeLink: links.unsubscribe };
  const { subject, text, html } = reminderEmail(facts, 5 * 60_000);
  expect(subject).toBe('Due in 10 minutes');
  expect(text).toBe(`Due in 10 minutes: Tune -- <i>it</i> (Low tide)

Open the todo:
${link}

-- 
You get this e-mail because reminder e-mails are on in your settings.
Unsubscribe: ${links.unsubscribe}
`);
  expect(html).toContain('<p>Due in 10 minutes: Tune -- &lt;i&gt;it&lt;/i&gt; (Low tide)</p>');
  expect(html).toContain(`<a class="button" href="${link}">Open the todo</a>`);
});

test('more reminders than an hour allows are counted in one e-mail without typed text', () => {
  const { subject, text } = moreRemindersEmail({ count: 12, isMore: false }, links);
  expect(subject).toBe('12 more reminders');
  expect(text).toBe(`12 more reminders of todos are waiting for you. We send at most five e-mails about reminders in an hour.

Open Roughmix:
https://mix.example/projects

-- 
You get this e-mail because reminder e-mails are on in your settings.
Unsubscribe: ${links.unsubscribe}
`);
  expect(moreRemindersEmail({ count: 1, isMore: false }, links).subject).toBe('1 more reminder');
  expect(moreRemindersEmail({ count: 500, isMore: true }, links).subject).toBe('At least 500 more reminders');
});

test('typed text in a mailing contains no addresses of pages', () => {
  const typed = 'sign in at https://evil.example/1, evil\u202e.example or evil.example/2';
  const facts = {
    reminder: { label: 'When Todo is due', at: 0 },
    about: `: ${typed} (www.evil.example)`,
    link: links.home,
    unsubscribeLink: links.unsubscribe,
  } as const;
  const made = [reminderEmail(facts, 0), digestEmail({ entries: [entry(typed, links.home), entry(typed)], count: 2 }, links)];
  for (const { subject, text, html = '' } of made) expect(`${subject} ${text} ${html}`).not.toMatch(/evil\W*\.\W*example/);
  const shown = 'sign in at [link removed], evil example or [link removed]';
  expect(made[0]?.text.split('\n')[0]).toBe(`Due now: ${shown} ([link removed])`);
  expect(made[1]?.html).toContain(`<li><a href="${links.home}">${shown}</a></li>\n<li>${shown}</li>`);
});
