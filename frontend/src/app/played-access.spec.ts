import { expect, test } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import type { PushOf } from '../shared/live/handlers';
import { handle } from '../shared/live/handlers';
import { projectCalled, selfCalled } from '../testing/people-and-projects';
import { type Loss, lossText, playedLive } from './played-access';

const ana = selfCalled('Ana');
const facts = { projectId: 'p1', actorUid: 'bob', commandId: null, position: 7 } as const;
const view = projectCalled('P1', ana);

/** The loss that a push reports to Ana, who plays version v1 of project p1. */
function lossBy(push: PushOf<'ProjectRemoved' | 'ProjectVisibility' | 'ProjectUsersRemoved' | 'VersionRemoved' | 'ProjectName'>): Loss | null {
  let reported: Loss | null = null;
  const handlers = playedLive(
    'ana',
    () => ({ projectId: 'p1', versionId: 'v1' }),
    (loss) => void (reported = loss),
  );
  handle(handlers, new QueryClient(), push);
  return reported;
}

test.each<readonly [string, Parameters<typeof lossBy>[0], Loss | null]>([
  ['the project is removed', { ...facts, type: 'ProjectRemoved', ids: ['p1'] }, 'removed'],
  ['the project becomes private for a visitor', { ...facts, type: 'ProjectVisibility', ids: ['p1'] }, 'private'],
  ['the user is removed', { ...facts, type: 'ProjectUsersRemoved', uids: ['ana'], ids: ['p1'] }, 'announced'],
  ['the version is removed', { ...facts, type: 'VersionRemoved', ids: ['v1'] }, 'version removed'],
])('playback ends when %s', (_what, push, loss) => expect(lossBy(push)).toBe(loss));

test.each<readonly [string, Parameters<typeof lossBy>[0]]>([
  ['another project is removed', { ...facts, projectId: 'p2', type: 'ProjectRemoved', ids: ['p2'] }],
  ['the project becomes private for a member', { ...facts, type: 'ProjectVisibility', view }],
  ['another member is removed', { ...facts, type: 'ProjectUsersRemoved', uids: ['cora'], view }],
  ['another version is removed', { ...facts, type: 'VersionRemoved', ids: ['v2'] }],
  ['the project is renamed', { ...facts, type: 'ProjectName', view }],
])('playback continues when %s', (_what, push) => expect(lossBy(push)).toBeNull());

test('away from the project a message says why playback ended, unless another one does', () => {
  const said = (['removed', 'private', 'version removed', 'unknown', 'announced'] as const).map((loss) => lossText(loss, 'Low Tide'));
  expect(said).toEqual([
    'Low Tide was removed by its owner.',
    'Low Tide is now private.',
    'The version of Low Tide that was playing was removed.',
    'You can no longer listen to Low Tide.',
    null,
  ]);
});
