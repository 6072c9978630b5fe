import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { eventsPage } from './events-page.js';
import { slices } from './slices.js';

test('docs/events.md is current', () => {
  expect(readFileSync('docs/events.md', 'utf8')).toBe(eventsPage());
});

test('docs/events.md lists every event of every slice', () => {
  const page = eventsPage();
  expect([...slices.fieldClasses.keys()].filter((type) => !page.includes(`| \`${type}\` |`))).toEqual([]);
});
