import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ProjectPageAnswer } from '@roughmix/contracts/comments/comment.view.js';
import type { Push } from '@roughmix/contracts/live.js';
import { QueryClient } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { commentLive } from '../../features/comments/comment.live';
import { commentsOf } from '../../features/comments/comments.queries';
import { projectLive } from '../../features/project/project.live';
import { projectOf } from '../../features/project/project.queries';
import { regionLive } from '../../features/regions/region.live';
import { regionsOf } from '../../features/regions/regions.queries';
import { aRegion } from '../../features/regions/testing';
import { versionLive } from '../../features/versions/version.live';
import { versionsOf } from '../../features/versions/versions.queries';
import { handle } from '../../shared/live/handlers';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { aComment, aReply } from '../../testing/comments';
import { personCalled, projectCalled, selfCalled } from '../../testing/people-and-projects';
import { projectPageOf } from './project-page-data';

const bob = personCalled('Bob');
const song = projectCalled('P1', selfCalled('Ana'), { addedUsers: [bob], position: 60 });
const page: ProjectPageAnswer['data'] = {
  project: song,
  versions: song.versions,
  regions: [aRegion('r1'), aRegion('r2')],
  todos: [],
  comments: [aComment('c1', { replyIds: ['c2'] }), aReply('c2', 'c1'), aComment('c3')],
};
const facts = { projectId: 'p1', actorUid: 'bob', commandId: null, position: 61 };
const nothing = () => undefined;
const handlers = { ...projectLive({ uid: 'ana', onGone: nothing, onRights: nothing }), ...versionLive(nothing), ...regionLive, ...commentLive };

let server: StubServer;
let cache: QueryClient;
beforeEach(async () => {
  server = await startStubServer({ 'GET /api/projects/p1/visitor/ana': () => ({ json: { data: page } }) });
  cache = new QueryClient();
});
afterEach(() => server.close());

const load = () => cache.query(projectPageOf('p1', 'ana'));
const receive = (push: Push) => handle(handlers, cache, push);
const idsOf = (items: readonly { readonly _id: string }[] | undefined) => items?.map(({ _id }) => _id);

/** Asks for the page, and lets `overtake` happen while the answer made at 60 is in flight. */
async function loadWhile(overtake: () => void) {
  let release = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => (release = resolve));
  server.answer({
    'GET /api/projects/p1/visitor/ana': async () => {
      await isHeld;
      return { json: { data: page } };
    },
  });
  const asked = server.requests.length;
  const loading = load();
  await waitFor(() => expect(server.requests).toHaveLength(asked + 1));
  overtake();
  release();
  await loading;
}

test('an answer made at 60 does not bring back an item removed at 61', async () => {
  await load();
  await loadWhile(() => {
    receive({ ...facts, type: 'RegionRemoved', ids: ['r1'] });
    receive({ ...facts, type: 'CommentRemoved', ids: ['c3'] });
    receive({ ...facts, type: 'CommentReplyRemoved', ids: ['c2'] });
    receive({ ...facts, type: 'CommentEdited', view: aComment('c1', { replyIds: [], position: 61 }) });
    receive({ ...facts, type: 'VersionRemoved', ids: ['p1_v1'] });
    receive({ ...facts, type: 'ProjectUsersRemoved', uids: ['bob'], view: { ...song, addedUsers: [], position: 61 } });
  });
  expect(idsOf(cache.getQueryData(regionsOf('p1').queryKey))).toEqual(['r2']);
  expect(cache.getQueryData(commentsOf('p1').queryKey)?.map(({ _id, replyIds }) => [_id, replyIds])).toEqual([['c1', []]]);
  expect(cache.getQueryData(versionsOf('p1').queryKey)).toEqual([]);
  expect(cache.getQueryData(projectOf('p1').queryKey)?.addedUsers).toEqual([]);
});

test('the placeholder of a removed comment disappears for good with its last reply', async () => {
  await load();
  await loadWhile(() => {
    receive({ ...facts, type: 'CommentReplyRemoved', ids: ['c2'] });
    receive({ ...facts, type: 'CommentRemoved', ids: ['c1'] });
  });
  expect(idsOf(cache.getQueryData(commentsOf('p1').queryKey))).toEqual(['c3']);
});

test('a late answer to an edit does not bring back a region that was removed in the meantime', async () => {
  await load();
  receive({ ...facts, type: 'RegionRemoved', ids: ['r1'], position: 62 });
  receive({ ...facts, type: 'RegionEdited', view: aRegion('r1', { label: 'late', position: 61 }) });
  expect(idsOf(cache.getQueryData(regionsOf('p1').queryKey))).toEqual(['r2']);
});

test('an answer made after a removal takes precedence over it', async () => {
  await load();
  receive({ ...facts, type: 'RegionRemoved', ids: ['r1'] });
  server.answer({ 'GET /api/projects/p1/visitor/ana': () => ({ json: { data: { ...page, project: { ...song, position: 70 } } } }) });
  await load();
  expect(idsOf(cache.getQueryData(regionsOf('p1').queryKey))).toEqual(['r1', 'r2']);
});

test('a removal that arrives before the first answer is applied to that answer', async () => {
  await loadWhile(() => receive({ ...facts, type: 'RegionRemoved', ids: ['r1'] }));
  expect(idsOf(cache.getQueryData(regionsOf('p1').queryKey))).toEqual(['r2']);
});
