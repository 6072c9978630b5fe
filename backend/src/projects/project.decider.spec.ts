import { describe, expect, test } from '@jest/globals';
import { folded, given } from '../testing/given.js';
import { aProject, PROJECT_ID, tagWith } from '../testing/project-history.js';
import { type ProjectCommand, projectDecider } from './project.decider.js';

const started = aProject().ownedBy('ana').sharedWith('bob').withVersion('v1');
const create: ProjectCommand = {
  type: 'CreateProject',
  data: { projectId: PROJECT_ID, firstVersionId: 'v1', projectName: 'Low tide', description: 'Slow', tinySummary: 'Demo', invited: [], message: 'Come in' },
};
const leave: ProjectCommand = { type: 'LeaveProject', data: {} };

describe('creating a project', () => {
  test('the caller becomes the owner', () =>
    given(aProject())
      .when(create, 'ana')
      .then([{ type: 'ProjectCreated', data: { ...create.data, ownerUid: 'ana' } }]));

  test('the system cannot create a project', () => given(aProject()).when(create, null).thenRefused('project.not-allowed'));

  test.each([
    ['exists', started],
    ['was removed', started.removed()],
  ])('the id of a project that %s is refused', (_what, history) => given(history).when(create, 'ana').thenRefused('project.not-found'));
});

describe("changing a project's details", () => {
  const edit = (data: (ProjectCommand & { type: 'EditProject' })['data']): ProjectCommand => ({ type: 'EditProject', data });

  test('each difference is one event with the old and the new value', () => {
    given(started)
      .when(edit({ projectName: 'High tide', description: 'Fast', visibility: 'public', completed: true }), 'ana')
      .then([
        { type: 'ProjectRenamed', data: { from: 'Low tide', to: 'High tide' } },
        { type: 'ProjectDescriptionEdited', data: { from: '', to: 'Fast' } },
        { type: 'ProjectVisibilityChanged', data: { from: 'private', to: 'public' } },
        { type: 'ProjectCompletionChanged', data: { from: false, to: true } },
      ]);
  });

  test('an edit without a difference is no event', () => {
    given(started)
      .when(edit({ projectName: 'Low tide', description: '', visibility: 'private', completed: false }), 'ana')
      .thenNothing();
    given(started).when(edit({}), 'ana').thenNothing();
  });

  test('a project cannot lose its name', () =>
    given(started)
      .when(edit({ projectName: '' }), 'ana')
      .thenRefused('request.invalid', { field: 'projectName' }));

  test('only the owner may change them', () => {
    given(started.sharedWith('carl', { write: true }))
      .when(edit({ description: 'x' }), 'carl')
      .thenRefused('project.not-allowed');
    given(started.made('public'))
      .when(edit({ description: 'x' }), 'zoe')
      .thenRefused('project.not-allowed');
    given(started)
      .when(edit({ description: 'x' }), 'zoe')
      .thenRefused('project.not-found');
  });
});

describe('removing a project', () => {
  test('the owner may remove it, with or without a version', () => {
    const removed = [{ type: 'ProjectRemoved', data: { abandoned: false } }] as const;
    given(started).when({ type: 'RemoveProject', data: {} }, 'ana').then(removed);
    given(aProject().ownedBy('ana')).when({ type: 'RemoveProject', data: {} }, 'ana').then(removed);
  });

  test('other users may not remove it', () => given(started).when({ type: 'RemoveProject', data: {} }, 'bob').thenRefused('project.not-allowed'));

  test('a removed project does not exist, even for its owner', () => {
    given(started.removed()).when({ type: 'RemoveProject', data: {} }, 'ana').thenRefused('project.not-found');
    given(started.removed()).when(leave, 'bob').thenRefused('project.not-found');
  });
});

describe('who may see a project', () => {
  const sees = (history: typeof started, uid: string | null) => projectDecider.sees(folded(history), { uid });

  test('members and the system; everyone if it is public; no one once it is removed', () => {
    for (const uid of ['ana', 'bob', null]) expect(sees(started, uid)).toBeNull();
    expect(sees(started, 'zoe')).toEqual({ refused: 'project.not-found' });
    expect(sees(started.made('public'), 'zoe')).toBeNull();
    expect(sees(started.removed(), 'ana')).toEqual({ refused: 'project.not-found' });
    expect(sees(started.without('bob'), 'bob')).toEqual({ refused: 'project.not-found' });
  });

  test('only its owner until it has a first version, even if others are invited', () => {
    const begun = aProject().ownedBy('ana', { invited: [{ uid: 'bob', access: 3, write: false }] });
    expect(sees(begun, 'ana')).toBeNull();
    expect(sees(begun, 'bob')).toEqual({ refused: 'project.not-found' });
  });

  test('an empty stream is visible, so that a project can be created; every other command is refused as not found', () => {
    expect(sees(aProject(), 'zoe')).toBeNull();
    given(aProject()).when(leave, 'zoe').thenRefused('project.not-found');
  });
});

describe('commands of the system', () => {
  test.each<ProjectCommand>([
    { type: 'AbandonProject', data: {} },
    { type: 'RecordRejection', data: { versionId: 'v1', uploadId: 'upload-v1', code: 'upload.damaged' } },
  ])('$type is refused to users', (command) => given(started).when(command, 'ana').thenRefused('project.not-allowed'));

  test('the system has no role in a project', () => given(started).when(leave, null).thenRefused('project.not-found'));

  test('a project that never got its first version is removed, one with a version is not', () => {
    given(aProject().ownedBy('ana'))
      .when({ type: 'AbandonProject', data: {} }, null)
      .then([{ type: 'ProjectRemoved', data: { abandoned: true } }]);
    for (const history of [started, started.withoutVersion('v1'), aProject().ownedBy('ana').removed(), aProject()]) {
      given(history).when({ type: 'AbandonProject', data: {} }, null).thenNothing();
    }
  });
});

describe('ids that are properties of every object', () => {
  test.each(['constructor', '__proto__', 'toString'])('%s is not found as version, region, comment or member', (id) => {
    const marks = { taggedRegions: [], stamp: null };
    const words = { content: 'x', taggedUsers: [] };
    const ask = (command: ProjectCommand) => given(started).when(command, 'ana');
    ask({ type: 'RemoveVersion', data: { versionId: id } }).thenRefused('version.not-found');
    ask({ type: 'AddRegion', data: { regionId: 'r1', versionId: id, span: { start: 1, end: 2, tag: 'mix', label: null } } }).thenRefused('version.not-found');
    ask({ type: 'RemoveRegion', data: { regionId: id } }).thenRefused('region.not-found');
    ask({ type: 'EditRegion', data: { regionId: id, change: {} } }).thenRefused('region.not-found');
    ask({ type: 'RemoveComment', data: { commentId: id } }).thenRefused('comment.not-found');
    ask({ type: 'RateComment', data: { commentId: id, type: 'likes', on: true } }).thenRefused('comment.not-found');
    ask({ type: 'ReplyToComment', data: { commentId: 'c2', parentCommentId: id, ...words, versionId: null, marks } }).thenRefused('comment.not-found');
    ask({ type: 'AddComment', data: { commentId: 'c1', kind: 'text', ...words, versionId: id, marks } }).thenRefused('version.not-found');
    ask({ type: 'AddComment', data: { commentId: 'c1', kind: 'text', ...words, versionId: null, marks: { taggedRegions: [tagWith(id)] } } }).thenRefused(
      'region.not-found',
    );
    ask({ type: 'EditPermissions', data: { changes: [{ uid: id, to: 'removed' }] } }).thenRefused('permissions.not-a-member');
    ask({ type: 'InviteUsers', data: { invited: [{ uid: id, access: 1, write: false }], message: '' } }).then([
      { type: 'ProjectUsersInvited', data: { invited: [{ uid: id, access: 1, write: false }], message: '' } },
    ]);
  });
});
