import { describe, expect, test } from '@jest/globals';
import { folded, given } from '../testing/given.js';
import { aProject } from '../testing/project-history.js';

const alone = aProject().ownedBy('ana', { projectName: 'Low tide' }).withVersion('v1').withRegion('r1', { by: 'ana' }).withComment('c1', { by: 'ana' });
const removed = alone.and({ type: 'ProjectRemoved', data: { abandoned: false } }, null);
const purged = { versionIds: ['v1'], regionIds: ['r1'], commentIds: ['c1'] };
const removeErased = { type: 'RemoveErasedUser', data: { uid: 'ana' } } as const;
const purge = { type: 'PurgeProject', data: {} } as const;

describe('a project of an erased user', () => {
  test('is removed if it has no other members', () => {
    given(alone)
      .when(removeErased, null)
      .then([{ type: 'ProjectRemoved', data: { abandoned: false } }]);
  });

  test('remains with its other members', () => {
    given(alone.sharedWith('bob')).when(removeErased, null).thenNothing();
  });

  test('that was already removed is unchanged', () => {
    given(removed).when(removeErased, null).thenNothing();
  });

  test('loses erased members and invited users', () => {
    const left = { type: 'RemoveErasedUser', data: { uid: 'bob' } } as const;
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

  test('can only be purged by the system', () => {
    given(alone).when(removeErased, 'ana').thenRefused('project.not-allowed');
    given(removed).when(purge, 'ana').thenRefused('project.not-allowed');
  });
});

describe('purging', () => {
  test('deletes every item of a removed project, and then does nothing', () => {
    given(removed)
      .when(purge, null)
      .then([{ type: 'ProjectPurged', data: purged }]);
    const done = removed.and({ type: 'ProjectPurged', data: purged }, null);
    given(done).when(purge, null).thenNothing();
    expect(folded(done)).toMatchObject({ removed: true, projectName: '', versions: {}, regions: {}, comments: {} });
  });

  test('of an existing project is refused', () => {
    given(alone).when(purge, null).thenRefused('project.not-allowed');
  });
});
