import { describe, expect, test } from '@jest/globals';
import { commonPasswords } from './common-passwords.js';
import { passwordProblem, Passwords } from './passwords.js';

describe('a new password', () => {
  test.each([
    ['1234567', 'password.too-short'],
    ['4711abcd', null],
    ['', 'password.too-short'],
    ['x'.repeat(128), null],
    ['x'.repeat(129), 'password.too-long'],
    ['correct horse', 'password.space'],
    ['correct\thorse', 'password.space'],
    ['password', 'password.too-common'],
    ['PassWord123', 'password.too-common'],
    ['iloveyou', 'password.too-common'],
    ['ｐａｓｓｗｏｒｄ', 'password.too-common'],
    ['Lasombra', 'password.too-common'],
    ['roughmix', 'password.too-common'],
    ['tape-hiss-and-rain', null],
    ['äöüäöüäö', null],
  ])('%j: %s', (password, problem) => {
    expect(passwordProblem(password)).toBe(problem);
  });
});

test('more than ten thousand passwords that could be chosen are too common', () => {
  const common = [...commonPasswords()];
  expect(common.length).toBeGreaterThan(10_000);
  expect(common.filter((password) => passwordProblem(password.toUpperCase()) !== 'password.too-common' && !password.includes('ß'))).toEqual([]);
});

describe('a hash', () => {
  const passwords = new Passwords();

  test('is Argon2id with 19 MiB, two passes and one lane, and matches only its password', async () => {
    const hashed = await passwords.hash('tape-hiss-and-rain');
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.matches(hashed, 'tape-hiss-and-rain')).toBe(true);
    expect(await passwords.matches(hashed, 'tape-hiss-and-snow')).toBe(false);
  });

  test('matches the same password in other code points', async () => {
    expect(await passwords.matches(await passwords.hash('caf\u00e9-au-lait'), 'cafe\u0301-au-lait')).toBe(true);
  });

  test('of an unknown account matches no password', async () => {
    expect(await passwords.matches(null, 'tape-hiss-and-rain')).toBe(false);
  });

  test('is not computed when the guard refuses', async () => {
    await expect(passwords.matches(null, 'x', () => Promise.reject(new Error('throttled')))).rejects.toThrow('throttled');
  });
});
