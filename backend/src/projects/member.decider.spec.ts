import type { Invited } from '@roughmix/contracts/projects/project.events.js';
import { describe, expect, test } from '@jest/globals';
import { folded, given } from '../testing/given.js';
import { aProject } from '../testing/project-history.js';
import type { MemberChange } from './member.decider.js';
import type { ProjectCommand } from './project.decider.js';
import { memberUids } from './project.state.js';

const viewer = { access: 1, write: false } as const;
const writer = { access: 3, write: true } as const;
const started = aProject().ownedBy('ana').withVersion('v1');
const shared = started.sharedWith('bob').sharedWith('carl', { write: true });

describe('inviting', () => {
  const invite = (...invited: Invited[]): ProjectCommand => ({ type: 'InviteUsers', data: { invited, message: 'Listen to this' } });

  test('brings in who was not in yet, each once, the last word counting', () => {
    given(shared)
      .when(
        invite({ uid: 'bob', ...writer }, { uid: 'dora', ...viewer }, { uid: 'ana', ...viewer }, { uid: 'eve', ...viewer }, { uid: 'dora', ...writer }),
        'ana',
      )
      .then([
        {
          type: 'ProjectUsersInvited',
          data: {
            invited: [
              { uid: 'dora', ...writer },
              { uid: 'eve', ...viewer },
            ],
            message: 'Listen to this',
          },
        },
      ]);
  });

  test.each([
    ['members only', [{ uid: 'bob', ...writer }]],
    ['oneself', [{ uid: 'ana', ...writer }]],
    ['nobody', []],
  ])('%s: there is nobody to select', (_what, invited) =>
    given(shared)
      .when(invite(...invited), 'ana')
      .thenRefused('invite.nobody'),
  );

  test('is the owner alone to do', () => {
    given(shared)
      .when(invite({ uid: 'dora', ...viewer }), 'carl')
      .thenRefused('project.not-allowed');
    given(shared.made('public'))
      .when(invite({ uid: 'zoe', ...viewer }), 'zoe')
      .thenRefused('project.not-allowed');
    given(shared)
      .when(invite({ uid: 'zoe', ...viewer }), 'zoe')
      .thenRefused('project.not-found');
  });

  test('waits for the first version', () =>
    given(aProject().ownedBy('ana'))
      .when(invite({ uid: 'dora', ...viewer }), 'ana')
      .thenRefused('version.not-found'));

  test('members are listed in the order invited, the owner first; who comes back comes last', () => {
    expect(memberUids(folded(shared))).toEqual(['ana', 'bob', 'carl']);
    expect(memberUids(folded(shared.without('bob').sharedWith('bob')))).toEqual(['ana', 'carl', 'bob']);
  });
});

describe('changing permissions', () => {
  const change = (...changes: MemberChange[]): ProjectCommand => ({ type: 'EditPermissions', data: { changes } });

  test('says from what to what, removals together and last', () => {
    given(shared.sharedWith('dora'))
      .when(change({ uid: 'bob', to: 'removed' }, { uid: 'carl', to: viewer }, { uid: 'dora', to: 'removed' }), 'ana')
      .then([
        { type: 'ProjectPermissionsChanged', data: { uid: 'carl', from: writer, to: viewer } },
        { type: 'ProjectUsersRemoved', data: { uids: ['bob', 'dora'] } },
      ]);
  });

  test('no event without a real difference', () => {
    given(shared)
      .when(change({ uid: 'bob', to: viewer }, { uid: 'carl', to: writer }), 'ana')
      .thenNothing();
    given(shared).when(change(), 'ana').thenNothing();
  });

  test('named twice, the last word counts', () => {
    given(shared)
      .when(change({ uid: 'bob', to: 'removed' }, { uid: 'bob', to: viewer }), 'ana')
      .thenNothing();
  });

  test.each(['ana', 'zoe'])('one that is no member, as %s: nothing happens at all', (uid) => {
    given(shared)
      .when(change({ uid: 'bob', to: 'removed' }, { uid, to: viewer }), 'ana')
      .thenRefused('permissions.not-a-member');
  });

  test('is the owner alone to do', () => {
    given(shared)
      .when(change({ uid: 'bob', to: writer }), 'carl')
      .thenRefused('project.not-allowed');
    given(shared)
      .when(change({ uid: 'bob', to: writer }), 'bob')
      .thenRefused('project.not-allowed');
    given(shared)
      .when(change({ uid: 'zoe', to: writer }), 'zoe')
      .thenRefused('project.not-found');
  });

  test('who was a viewer and may write now does so at once', () => {
    const promoted = shared.withPermissions('bob', viewer, writer);
    given(promoted)
      .when({ type: 'RemoveVersion', data: { versionId: 'v1' } }, 'bob')
      .thenRefused('project.not-allowed');
    expect(folded(promoted).members).toEqual({ bob: writer, carl: writer });
  });
});

describe('leaving', () => {
  const leave: ProjectCommand = { type: 'LeaveProject', data: {} };

  test.each(['bob', 'carl'])('%s may, and is out', (uid) => {
    given(shared)
      .when(leave, uid)
      .then([{ type: 'ProjectLeft', data: { uid } }]);
    const left = shared.and({ type: 'ProjectLeft', data: { uid } }, uid);
    given(left).when(leave, uid).thenRefused('project.not-found');
    expect(memberUids(folded(left))).not.toContain(uid);
  });

  test('the owner stays', () => given(shared).when(leave, 'ana').thenRefused('project.owner-stays'));

  test('a visitor has nothing to leave', () => given(shared.made('public')).when(leave, 'zoe').thenRefused('project.not-allowed'));
});
