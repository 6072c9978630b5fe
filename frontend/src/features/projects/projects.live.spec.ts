import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ProjectPush } from '@roughmix/contracts/live.js';
import { QueryClient } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { handle } from '../../shared/live/handlers';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { personCalled, projectCalled } from '../../testing/people-and-projects';
import { projectsLive } from './projects.live';
import { projectsOf } from './projects-queries';

const bob = personCalled('Bob');
const song = projectCalled('Song', bob, { position: 60 });
const tune = projectCalled('Tune', bob, { position: 40 });
const removal: ProjectPush = { type: 'ProjectUsersRemoved', projectId: 'song', actorUid: 'bob', commandId: null, uids: ['ana'], ids: ['song'], position: 61 };

let server: StubServer;
let cache: QueryClient;
let lost: string[];
beforeEach(async () => {
  server = await startStubServer({ 'GET /api/projects/ana': () => ({ json: { projects: [song, tune] } }) });
  cache = new QueryClient();
  lost = [];
});
afterEach(() => server.close());

const receive = (push: ProjectPush) => handle(projectsLive('ana', (projectId) => void lost.push(projectId)).handlers, cache, push);
const listed = () => cache.getQueryData(projectsOf('ana').queryKey)?.map(({ _id }) => _id);

test('a project that the user was removed from leaves the list, and an answer made before does not bring it back', async () => {
  await cache.query(projectsOf('ana'));
  let release = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => (release = resolve));
  server.answer({
    'GET /api/projects/ana': async () => {
      await isHeld;
      return { json: { projects: [song, tune] } };
    },
  });
  const loading = cache.query(projectsOf('ana'));
  await waitFor(() => expect(server.requests).toHaveLength(2));
  receive(removal);
  expect(listed()).toEqual(['tune']);
  release();
  await loading;
  expect(listed()).toEqual(['tune']);
  expect(lost).toEqual(['song']);
});

test('a removed project leaves the list', async () => {
  await cache.query(projectsOf('ana'));
  receive({ type: 'ProjectRemoved', projectId: 'tune', actorUid: 'bob', commandId: null, ids: ['tune'], position: 61 });
  expect(listed()).toEqual(['song']);
  expect(lost).toEqual([]);
});

test('a project is listed again after a new invitation', async () => {
  await cache.query(projectsOf('ana'));
  receive(removal);
  server.answer({ 'GET /api/projects/ana': () => ({ json: { projects: [{ ...song, position: 70 }, tune] } }) });
  await cache.query(projectsOf('ana'));
  expect(listed()).toEqual(['song', 'tune']);
});

test('pushes that cannot be caught up make the lists stale', async () => {
  await cache.query(projectsOf('ana'));
  projectsLive('ana', () => undefined).onMissed?.(cache);
  expect(cache.getQueryState(projectsOf('ana').queryKey)?.isInvalidated).toBe(true);
});
