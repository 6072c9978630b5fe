import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Answer, startStubServer, type StubServer } from '../../testing/stub-server';
import { isCodeMissing, reloadForNewerBuild } from './newer-build';

let server: StubServer;
let answer: Answer;
let reloads = 0;
const reload = () => void (reloads += 1);

beforeEach(async () => {
  reloads = 0;
  sessionStorage.clear();
  answer = { status: 200 };
  server = await startStubServer({ 'HEAD /': () => answer });
});
afterEach(() => server.close());

test('missing code while the server answers reloads the page, once a minute', async () => {
  expect(await reloadForNewerBuild(reload)).toBe(true);
  expect(await reloadForNewerBuild(reload)).toBe(false);
  expect([reloads, (await server.settledRequests()).length]).toEqual([1, 1]);
});

test.each<[string, Answer]>([
  ['without a network', 'hang up'],
  ['behind a proxy whose server is away', { status: 502 }],
])('%s the page stays open, and can be reloaded later', async (_where, away) => {
  answer = away;
  expect(await reloadForNewerBuild(reload)).toBe(false);
  answer = { status: 200 };
  expect(await reloadForNewerBuild(reload)).toBe(true);
  expect(reloads).toBe(1);
});

test.each([
  'Failed to fetch dynamically imported module: https://x/assets/a.js',
  'error loading dynamically imported module: https://x/assets/a.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/a.css',
])('the message %j says that code is missing', (message) => {
  expect(isCodeMissing(new TypeError(message))).toBe(true);
  expect(isCodeMissing(new TypeError('x is not a function'))).toBe(false);
});
