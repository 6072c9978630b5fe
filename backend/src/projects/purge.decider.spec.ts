import { describe, expect, test } from '@jest/globals';
import { folded, given } from '../testing/given.js';
import { aProject } from '../testing/project-history.js';

const alone = aProject().ownedBy('ana', { projectName: 'Low tide' }).withVersion('v1').withRegion('r1', { by: 'ana' }).withComment('c1', { by: 'ana' });
const removed = alone.and({ type: 'ProjectRemoved', data: { abandoned: false } }, null);
const purged = { versionIds: ['v1'], regionIds: ['r1'], commentIds: ['c1'] };
const outOf = { type: 'TakeOutErased', data: { uid: 'ana' } } as const;
const purge = { type: 'PurgeProject', data: {} } as const;

describe('a project of somebody erased', () => {
  test('goes when nobody else is in it', () => {
    given(alone)
      .when(outOf, null)
      .then([{ type: 'ProjectRemoved', data: { abandoned: false } }]);
  });

  test('stays with those who are in it', () => {
    given(alone.sharedWith('bob')).when(outOf, null).thenNothing();
  });

  test('that was removed before is left as it is', () => {
    given(removed).when(outOf, null).thenNothing();
  });

  test('is left by members and by those who were about to be', () => {
    const left = { type: 'TakeOutErased', data: { uid: 'bob' } } as const;
    given(alone.sharedWith('bob'))
      .when(left, null)
      .then([{ type: 'ProjectUsersRemoved', data: { uids: ['bob'] } }]);
    const invited = aProject().ownedBy('ana', { invited: [{ uid: 'bob', access: 3, write: true }], message: 'Come' });
    given(invited)
      .when(left, null)
      .then([{ type: 'ProjectUsersRemoved', data: { uids: ['bob'] } }]);
    expect(folded(invited.and({ type: 'ProjectUsersRemoved', data: { uids: ['bob'] } }, null)).pending).toEqual({ invited: [], message: 'Come' });
    given(alone).when(left, null).thenNothing();
  });

  test('is taken apart by the system alone', () => {
    given(alone).when(outOf, 'ana').thenRefused('project.not-allowed');
    given(removed).when(purge, 'ana').thenRefused('project.not-allowed');
  });
});

describe('purging', () => {
  test('forgets every part of a removed project, and then has nothing to do', () => {
    given(removed)
      .when(purge, null)
      .then([{ type: 'ProjectPurged', data: purged }]);
    const done = removed.and({ type: 'ProjectPurged', data: purged }, null);
    given(done).when(purge, null).thenNothing();
    expect(folded(done)).toMatchObject({ removed: true, projectName: '', versions: {}, regions: {}, comments: {} });
  });

  test('of a project that stands is refused', () => {
    given(alone).when(purge, null).thenRefused('project.not-allowed');
  });
});
