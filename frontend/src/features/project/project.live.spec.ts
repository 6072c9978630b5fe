import { expect, test } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import { projectCalled, selfCalled } from '../../testing/people-and-projects';
import { projectLive } from './project.live';

const nothing = (): void => undefined;

test.each([
  ['a member removed by the owner needs no refetch', 'ana', false],
  ['a member removed by the system was erased, so the whole project is refetched: their name appears everywhere', null, true],
])('%s', (_what, actorUid, isRefetched) => {
  const cache = new QueryClient();
  cache.setQueryData(['project-page', 'P1', 'ana'], 1);
  cache.setQueryData(['project-page', 'P2', 'ana'], 1);
  const view = projectCalled('P1', selfCalled('Ana'));
  const { ProjectUsersRemoved: handler } = projectLive({ uid: 'ana', onGone: nothing, onRights: nothing });
  handler?.(cache, { type: 'ProjectUsersRemoved', projectId: 'P1', actorUid, commandId: null, position: 9, uids: ['bob'], view });
  expect(cache.getQueryState(['project-page', 'P1', 'ana'])?.isInvalidated).toBe(isRefetched);
  expect(cache.getQueryState(['project-page', 'P2', 'ana'])?.isInvalidated).toBe(false);
});
