import { expect, test } from '@jest/globals';
import { parseInvited } from './project.view.js';

test.each([
  ['Zc90_x-0', { uid: 'Zc90_x', level: 0 }],
  ['Zc90_x-3', { uid: 'Zc90_x', level: 3 }],
  ['Zc90_x', { uid: 'Zc90_x', level: 3 }],
  ['a-b-2', { uid: 'a-b', level: 2 }],
  ['', { uid: '', level: 3 }],
  ['-1', { uid: '', level: 1 }],
  ['Zc90_x-4', null],
  ['Zc90_x--1', { uid: 'Zc90_x-', level: 1 }],
  ['Zc90_x-', null],
  ['Zc90_x-03', null],
  ['Zc90_x-1 ', null],
  ['Zc90_x-1.0', null],
])('an invitation %j names %j: split at the last dash, a bare uid means 3', (entry, parsed) => {
  expect(parseInvited(entry)).toEqual(parsed);
});
