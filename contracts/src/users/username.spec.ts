import { describe, expect, test } from '@jest/globals';
import { derivedUsernames, isReservedUsername, usernameFrom } from './username.js';

const first = (person: { firstName?: string; lastName?: string; email?: string }, count = 3): readonly string[] => {
  const names: string[] = [];
  for (const name of derivedUsernames({ firstName: '', lastName: '', email: 'x@example.org', ...person })) {
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

  test('without names the username is the part before the @, without characters that are not allowed', () => {
    expect(first({ email: 'maren_holt+mix@example.org' }, 1)).toEqual(['marenholtmix']);
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
  ])('%j is kept as %j', (text, username) => {
    expect(usernameFrom(text)).toBe(username);
  });
});
