import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { eventsPage } from './events-page.js';
import { slices } from './slices.js';

test('docs/events.md says what contracts declare', () => {
  expect(readFileSync('docs/events.md', 'utf8')).toBe(eventsPage());
});

test('every event of every slice stands on it', () => {
  const page = eventsPage();
  expect([...slices.fieldClasses.keys()].filter((type) => !page.includes(`| \`${type}\` |`))).toEqual([]);
});
