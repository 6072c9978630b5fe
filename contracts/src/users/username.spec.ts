import { describe, expect, test } from '@jest/globals';
import { derivedUsernames, isDerivedUsername, isReservedUsername, usernameFrom } from './username.js';

const first = (person: { firstName?: string; lastName?: string }, count = 3): readonly string[] => {
  const names: string[] = [];
  for (const name of derivedUsernames({ firstName: '', lastName: '', ...person })) {
    names.push(name);
    if (names.length === count) break;
  }
  return names;
};

describe('without a chosen username', () => {
  test('the username is first plus last name, then with a number', () => {
    expect(first({ firstName: 'Maren', lastName: 'Holt' })).toEqual(['Maren Holt', 'Maren Holt2', 'Maren Holt3']);
  });

  test('a curly apostrophe in a name becomes straight', () => {
    expect(first({ firstName: 'Jo', lastName: 'O\u2019Neil' }, 1)).toEqual(["Jo O'Neil"]);
  });

  test('one name is enough', () => {
    expect(first({ lastName: 'Holt' }, 1)).toEqual(['Holt']);
  });

  test('characters that are not allowed are left out', () => {
    expect(first({ firstName: 'maren_holt+mix' }, 1)).toEqual(['marenholtmix']);
  });

  test.each([
    ['Al', ['Al2', 'Al3', 'Al4']],
    ['A', ['A10', 'A11', 'A12']],
    ['_', ['100', '101', '102']],
  ])('%s is extended to three characters by a number', (firstName, names) => {
    expect(first({ firstName })).toEqual(names);
  });

  test('the username is cut at 30 characters including its number, never within a character', () => {
    const lastName = 'x'.repeat(40);
    expect(first({ lastName }, 2)).toEqual(['x'.repeat(30), `${'x'.repeat(29)}2`]);
    expect(first({ lastName: `${'x'.repeat(29)}𝒳y` }, 1)).toEqual(['x'.repeat(29)]);
    expect(first({ firstName: 'x'.repeat(29), lastName: 'y' }, 1)).toEqual(['x'.repeat(29)]);
    expect(first({ firstName: `${'x'.repeat(29)}x\u0323` }, 1)).toEqual(['x'.repeat(29)]);
  });

  test("'Everyone' is taken", () => {
    expect(first({ firstName: 'everyone' }, 1)).toEqual(['everyone2']);
    expect(isReservedUsername('EVERYONE')).toBe(true);
    expect(isReservedUsername('Everyman')).toBe(false);
  });

  test.each(['API', 'docs', 'Health', 'assets', 'groups', 'Projects', 'terms', 'login', 'socket.io'])('%s is part of an address', (name) => {
    expect(isReservedUsername(name)).toBe(true);
    expect(first({ firstName: name }, 1)).toEqual([`${name}2`]);
  });
});

describe('a username that nobody chose', () => {
  test.each([
    ['Maren Holt', 'Maren', 'Holt'],
    ['Maren Holt12', 'Maren', 'Holt'],
    ["Jo O'Neil", 'Jo', 'O\u2019Neil'],
    ['Holt', '', 'Holt'],
    ['Al2', 'Al', ''],
    ['Take52', 'Take5', ''],
    ['100', '_', ''],
    [`${'x'.repeat(29)}2`, '', 'x'.repeat(40)],
    ['maren.private', '', ''],
  ])('%s follows from the names %j %j', (username, firstName, lastName) => {
    expect(isDerivedUsername({ username, firstName, lastName })).toBe(true);
  });

  test.each([
    ['maren holt', 'Maren', 'Holt'],
    ['Maren Holt1', 'Maren', 'Holt'],
    ['Maren Holt02', 'Maren', 'Holt'],
    ['Maren Holt 2', 'Maren', 'Holt'],
    ['Maren', 'Maren', 'Holt'],
    ['Night Owl', 'Maren', 'Holt'],
    ['2', 'Maren', 'Holt'],
  ])('is not %s with the names %j %j', (username, firstName, lastName) => {
    expect(isDerivedUsername({ username, firstName, lastName })).toBe(false);
  });

  test('is each of those that the names yield', () => {
    for (const names of [
      { firstName: 'Maren', lastName: 'Holt' },
      { firstName: 'x'.repeat(28), lastName: '𝒳y' },
      { firstName: '7', lastName: '' },
    ])
      for (const username of first(names, 30)) expect(isDerivedUsername({ username, ...names })).toBe(true);
  });
});

describe('a chosen username', () => {
  test.each([
    ['  Maren   Holt ', 'Maren   Holt'],
    ["D'Arcy St. John-Lee", "D'Arcy St. John-Lee"],
    ['D\u2019Arcy', "D'Arcy"],
    ['Zoe\u0308 Łuk', 'Zoë Łuk'],
    ['x'.repeat(30), 'x'.repeat(30)],
    ['x'.repeat(31), null],
    ['xy', null],
    ['', null],
    ['maren_holt', null],
    ['maren@holt', null],
    ['maren\tholt', null],
    ['maren/holt', null],
    ['%MENTION', null],
    ['🎸🎸🎸', null],
    ['\u3164\u3164\u3164', null],
    ['Mar\u034Fen', null],
  ])('%j is kept as %j', (text, username) => {
    expect(usernameFrom(text)).toBe(username);
  });
});
