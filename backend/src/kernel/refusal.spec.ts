import { inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Refused } from './refusal.js';

test('a refusal that is logged does not show the texts of its problem', () => {
  const conflict = new Refused('note.conflict', { note: 'private', theirs: 'Ask Bob', hash: 'abc', yours: 'Ask Carl' });
  const lines: string[] = [];
  pino({}, { write: (line: string) => void lines.push(line) }).error({ err: conflict }, 'refused');
  expect(lines.join('')).toContain('note.conflict');
  for (const text of [...lines, inspect(conflict), JSON.stringify(conflict)]) expect(text).not.toMatch(/Ask|abc/);
  expect(conflict.extras).toEqual({ note: 'private', theirs: 'Ask Bob', hash: 'abc', yours: 'Ask Carl' });
});
