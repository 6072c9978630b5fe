import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { type Answer, startStubServer, type StubServer } from '../testing/stub-server';
import { reloadForNewerPage } from './newer-page';

let server: StubServer;
let answer: Answer;
let reloads = 0;

reloadForNewerPage(window, () => {
  reloads += 1;
});

beforeEach(async () => {
  reloads = 0;
  sessionStorage.clear();
  answer = { status: 200 };
  server = await startStubServer({ 'HEAD /': () => answer });
});
afterEach(() => server.close());

const failToLoadPart = () => window.dispatchEvent(new Event('vite:preloadError'));
const probes = async () => (await server.settledRequests()).length;

test('a part that is gone while the server answers reloads the page, once a minute', async () => {
  failToLoadPart();
  failToLoadPart();
  await waitFor(() => expect(reloads).toBe(1));

  failToLoadPart();
  expect(await probes()).toBe(1);
  expect(reloads).toBe(1);
});

test.each<[string, Answer]>([
  ['without a network', 'hang up'],
  ['behind a proxy whose server is away', { status: 502 }],
])('%s a part that cannot be loaded leaves the page open, and a later one reloads it', async (_where, away) => {
  answer = away;
  failToLoadPart();
  await waitFor(async () => expect(await probes()).toBe(1));

  answer = { status: 200 };
  await waitFor(() => {
    failToLoadPart();
    expect(reloads).toBe(1);
  });
  expect(await probes()).toBe(2);
});
