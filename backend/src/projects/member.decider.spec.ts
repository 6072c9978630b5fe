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

  test('adds users who are not members yet, each once, with the last given grant', () => {
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

  test('leaves out those who block the owner, as if they had not been asked for', () => {
    const data = {
      invited: [
        { uid: 'dora', ...viewer },
        { uid: 'eve', ...writer },
      ],
      message: '',
    };
    const when = (...blockers: readonly string[]) => given(shared).when({ type: 'InviteUsers', data: { ...data, blockers } }, 'ana');
    when('dora').then([{ type: 'ProjectUsersInvited', data: { invited: [{ uid: 'eve', ...writer }], message: '' } }]);
    when('dora', 'eve').then([]);
  });

  test.each([
    ['members only', [{ uid: 'bob', ...writer }]],
    ['oneself', [{ uid: 'ana', ...writer }]],
    ['no one', []],
  ])('%s: refused, because there is no new user', (_what, invited) =>
    given(shared)
      .when(invite(...invited), 'ana')
      .thenRefused('invite.nobody'),
  );

  test('is for the owner only', () => {
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

  test('requires a first version', () =>
    given(aProject().ownedBy('ana'))
      .when(invite({ uid: 'dora', ...viewer }), 'ana')
      .thenRefused('version.not-found'));

  test('members are listed in the order invited, the owner first; a returning member comes last', () => {
    expect(memberUids(folded(shared))).toEqual(['ana', 'bob', 'carl']);
    expect(memberUids(folded(shared.without('bob').sharedWith('bob')))).toEqual(['ana', 'carl', 'bob']);
  });
});

describe('changing permissions', () => {
  const change = (...changes: MemberChange[]): ProjectCommand => ({ type: 'EditPermissions', data: { changes } });

  test('records old and new grants, with all removals in one last event', () => {
    given(shared.sharedWith('dora'))
      .when(change({ uid: 'bob', to: 'removed' }, { uid: 'carl', to: viewer }, { uid: 'dora', to: 'removed' }), 'ana')
      .then([
        { type: 'ProjectPermissionsChanged', data: { uid: 'carl', from: writer, to: viewer } },
        { type: 'ProjectUsersRemoved', data: { uids: ['bob', 'dora'] } },
      ]);
  });

  test('appends no event without a difference', () => {
    given(shared)
      .when(change({ uid: 'bob', to: viewer }, { uid: 'carl', to: writer }), 'ana')
      .thenNothing();
    given(shared).when(change(), 'ana').thenNothing();
  });

  test('uses the last change if a user is given twice', () => {
    given(shared)
      .when(change({ uid: 'bob', to: 'removed' }, { uid: 'bob', to: viewer }), 'ana')
      .thenNothing();
  });

  test.each(['ana', 'zoe'])('a change for %s, who is not a member, refuses the whole command', (uid) => {
    given(shared)
      .when(change({ uid: 'bob', to: 'removed' }, { uid, to: viewer }), 'ana')
      .thenRefused('permissions.not-a-member');
  });

  test('is for the owner only', () => {
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

  test('a viewer who gets write access may use it at once', () => {
    const promoted = shared.withPermissions('bob', viewer, writer);
    given(promoted)
      .when({ type: 'RemoveVersion', data: { versionId: 'v1' } }, 'bob')
      .thenRefused('project.not-allowed');
    expect(folded(promoted).members).toEqual({ bob: writer, carl: writer });
  });
});

describe('leaving', () => {
  const leave: ProjectCommand = { type: 'LeaveProject', data: {} };

  test.each(['bob', 'carl'])('%s may leave', (uid) => {
    given(shared)
      .when(leave, uid)
      .then([{ type: 'ProjectLeft', data: { uid } }]);
    const left = shared.and({ type: 'ProjectLeft', data: { uid } }, uid);
    given(left).when(leave, uid).thenRefused('project.not-found');
    expect(memberUids(folded(left))).not.toContain(uid);
  });

  test('the owner may not leave', () => given(shared).when(leave, 'ana').thenRefused('project.owner-stays'));

  test('a visitor cannot leave', () => given(shared.made('public')).when(leave, 'zoe').thenRefused('project.not-allowed'));
});

describe('taking over', () => {
  const takeOver = (erasedUid: string | null): ProjectCommand => ({ type: 'TakeOverProject', data: { erasedUid } });
  const becomes = (uid: string) => [{ type: 'ProjectTakenOver' as const, data: { from: 'ana', to: uid } }];

  test('a collaborator takes over from an erased owner; a viewer only while there is none', () => {
    given(shared).when(takeOver('ana'), 'carl').then(becomes('carl'));
    given(shared).when(takeOver('ana'), 'bob').thenRefused('project.not-allowed');
    given(started.sharedWith('bob')).when(takeOver('ana'), 'bob').then(becomes('bob'));
  });

  test('no one takes over from an owner who exists, or from someone who is not the owner', () => {
    given(shared).when(takeOver(null), 'carl').thenRefused('project.has-owner');
    given(shared).when(takeOver('zoe'), 'carl').thenRefused('project.has-owner');
    given(shared).when(takeOver(null), 'ana').thenRefused('project.has-owner');
    const done = shared.and({ type: 'ProjectTakenOver', data: { from: 'ana', to: 'carl' } }, 'carl');
    given(done).when(takeOver('ana'), 'carl').thenRefused('project.has-owner');
    given(done).when(takeOver('ana'), 'bob').thenRefused('project.has-owner');
  });

  test('is refused to a visitor, and an outsider finds no project', () => {
    given(shared.made('public')).when(takeOver('ana'), 'zoe').thenRefused('project.not-allowed');
    given(shared).when(takeOver('ana'), 'zoe').thenRefused('project.not-found');
  });

  test('leaves the other members as they are', () => {
    const done = folded(shared.and({ type: 'ProjectTakenOver', data: { from: 'ana', to: 'carl' } }, 'carl'));
    expect([done.ownerUid, done.members]).toEqual(['carl', { bob: viewer }]);
  });
});
