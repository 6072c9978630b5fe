import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ConfigError, envExample, readConfig } from './config.js';

test('without an environment everything has its default', () => {
  expect(readConfig({})).toMatchObject({
    HOST: '127.0.0.1',
    PORT: 3000,
    PUBLIC_URL: null,
    ROLES: ['web', 'projector', 'reactor'],
    ADMIN_KEY: null,
    TRASH_DAYS: 30,
  });
});

test('everything that is wrong is said at once', () => {
  const wrong = { PORT: 'eighty', PUBLIC_URL: 'roughmix.example', ADMIN_KEY: 'short', ROLES: 'web', TRASH_DAYS: '-1' };
  let problems: readonly string[] = [];
  try {
    readConfig(wrong);
  } catch (error) {
    if (error instanceof ConfigError) problems = error.problems;
  }
  expect(problems).toEqual([
    'PORT: a whole number from 0 to 65535',
    'PUBLIC_URL: an address that begins with http:// or https://',
    'ROLES: less than all three needs EVENTSTORE_URL, MONGO_URL and S3_ENDPOINT',
    'ADMIN_KEY: at least 128 bits, that is 22 characters or more',
    'TRASH_DAYS: a whole number from 0 to 3650',
  ]);
});

test('a secret may lie in a file', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'roughmix-config-')), 'key');
  writeFileSync(file, 'a-key-that-is-long-enough\n');
  expect(readConfig({ ADMIN_KEY_FILE: file }).ADMIN_KEY).toBe('a-key-that-is-long-enough');
});

test('an empty variable counts as none', () => {
  expect(readConfig({ PORT: '', SMTP_URL: '' })).toMatchObject({ PORT: 3000, SMTP_URL: null });
});

test('.env.example is made from the same list', () => {
  expect(readFileSync('.env.example', 'utf8')).toBe(envExample());
});
