import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { textOf } from '../test/deployment-files.js';

const fs = { readFileSync: (path: string): string => `what ${path.slice('/run/keys/'.length)} says\n` };

/** Runs the health check against a server with this `hello`. */
function checked(hello: { readonly isWritablePrimary: boolean; readonly setName?: string }): {
  readonly code?: number;
  readonly commands: readonly unknown[];
  readonly url: string;
} {
  const seen: { code?: number; commands: unknown[]; url: string } = { commands: [], url: '' };
  const admin = { hello: () => hello, adminCommand: (command: unknown) => seen.commands.push(command) };
  const connect = (url: string): typeof admin => {
    seen.url = url;
    return admin;
  };
  const quit = (code: number): void => {
    seen.code = code;
  };
  runInNewContext(textOf('infra/compose/mongo-health.js'), { fs, connect, quit });
  return seen;
}

describe('the health check of MongoDB', () => {
  test('initiates a missing replica set, and is not healthy yet', () => {
    const { code, commands, url } = checked({ isWritablePrimary: false });
    expect(code).toBe(1);
    expect(commands).toEqual([{ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: 'mongo:27017' }] } }]);
    expect(url).toBe('mongodb://root:what root-password says@127.0.0.1:27017/admin?directConnection=true&serverSelectionTimeoutMS=2000');
  });

  test('is not healthy while the server is not a member of the set', () => {
    expect(checked({ isWritablePrimary: true }).code).toBe(1);
  });

  test('is healthy when the member is writable, and leaves the set unchanged', () => {
    expect(checked({ isWritablePrimary: true, setName: 'rs0' })).toMatchObject({ code: 0, commands: [] });
    expect(checked({ isWritablePrimary: false, setName: 'rs0' })).toMatchObject({ code: 1, commands: [] });
  });
});

test('the MongoDB user has access to one database only', () => {
  const users: unknown[] = [];
  const db = { getSiblingDB: (name: string) => ({ createUser: (user: object) => users.push({ name, ...user }) }) };
  runInNewContext(textOf('infra/compose/mongo-user.js'), { fs, db });
  expect(users).toEqual([{ name: 'roughmix', user: 'roughmix', pwd: 'what roughmix-password says', roles: [{ role: 'readWrite', db: 'roughmix' }] }]);
});
