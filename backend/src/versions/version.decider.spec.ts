import type { UpdateType } from '@roughmix/contracts/shared/versions.js';
import type { PlaybackCopy } from '@roughmix/contracts/versions/version.events.js';
import { describe, expect, test } from '@jest/globals';
import type { ProjectCommand } from '../projects/project.decider.js';
import { eventsOf, folded, given } from '../testing/given.js';
import { anAudioFile, aProject, type ProjectHistory, PROJECT_ID } from '../testing/project-history.js';
import type { VersionCommands } from './version.decider.js';

const { key: _key, ...file } = anAudioFile();
const begun = aProject().ownedBy('ana', { tinySummary: 'Rough idea', invited: [{ uid: 'bob', access: 1, write: false }], message: 'Come in' });
const shared = aProject().ownedBy('ana').withVersion('v1').sharedWith('bob').sharedWith('carl', { write: true });

const add = (facts: Partial<VersionCommands['AddVersion']> = {}): ProjectCommand => ({
  type: 'AddVersion',
  data: {
    projectId: PROJECT_ID,
    versionId: 'v2',
    uploadId: 'u2',
    first: false,
    updateType: 'minor',
    tinySummary: 'Louder bass',
    taggedUsers: ['bob'],
    file,
    ...facts,
  },
});
const first = (facts: Partial<VersionCommands['AddVersion']> = {}): ProjectCommand =>
  add({ versionId: 'v1', uploadId: 'u1', first: true, tinySummary: '', taggedUsers: [], ...facts });
const replace = (versionId: string, uploadId: string): ProjectCommand => ({
  type: 'ReplaceVersion',
  data: { projectId: PROJECT_ID, versionId, uploadId, file },
});
const removal = (versionId: string): ProjectCommand => ({ type: 'RemoveVersion', data: { versionId } });

describe('the first version', () => {
  test('is 1.0 and sends the invitation in the same append', () => {
    const key = 'ana/ProjectMediaFiles/p1/v1/1_0-audio';
    given(begun)
      .when(first(), 'ana')
      .then([
        {
          type: 'VersionAdded',
          data: { versionId: 'v1', uploadId: 'u1', taggedUsers: [], major: 1, minor: 0, tinySummary: 'Rough idea', file: { ...file, key } },
        },
        { type: 'ProjectUsersInvited', data: { invited: [{ uid: 'bob', access: 1, write: false }], message: 'Come in' } },
      ]);
  });

  test('invites nobody who has blocked its owner since', () => {
    const grant = { access: 1, write: false } as const;
    const both = aProject().ownedBy('ana', {
      invited: [
        { uid: 'bob', ...grant },
        { uid: 'cleo', ...grant },
      ],
    });
    const invited = (...blockers: readonly string[]) => eventsOf(given(both).when(first({ blockers }), 'ana')).slice(1);
    expect(invited('bob')).toEqual([{ type: 'ProjectUsersInvited', data: { invited: [{ uid: 'cleo', ...grant }], message: '' } }]);
    expect(invited('bob', 'cleo')).toEqual([]);
  });

  test('appends no invitation if no one but the owner was invited', () => {
    expect(eventsOf(given(aProject().ownedBy('ana')).when(first(), 'ana'))).toHaveLength(1);
    expect(eventsOf(given(aProject().ownedBy('ana', { invited: [{ uid: 'ana', access: 3, write: false }] })).when(first(), 'ana'))).toHaveLength(1);
  });

  test.each([
    ['given with the file', 'Rough idea', 'Take one', 'Take one'],
    ['else given with the project', 'Rough idea', '', 'Rough idea'],
    ['else a default', '', '', 'Initial Version'],
  ])('has the summary %s', (_what, tinySummary, ownSummary, shown) => {
    expect(eventsOf(given(aProject().ownedBy('ana', { tinySummary })).when(first({ tinySummary: ownSummary }), 'ana'))[0]).toMatchObject({
      data: { tinySummary: shown },
    });
  });

  test('can be added only once, and only with the announced id', () => {
    given(shared)
      .when(first({ versionId: 'v9' }), 'ana')
      .thenRefused('project.has-version');
    given(begun)
      .when(first({ versionId: 'v9' }), 'ana')
      .thenRefused('project.has-version');
    given(shared.withoutVersion('v1')).when(first(), 'ana').thenRefused('project.has-version');
  });

  test('must be added before any other version', () => given(begun).when(add(), 'ana').thenRefused('version.not-found'));

  test('can be added only by the owner, because other users cannot see the project yet', () =>
    given(begun).when(first(), 'bob').thenRefused('project.not-found'));
});

describe('a new version', () => {
  test.each(['ana', 'carl'])('can be added by %s, and is stored under their uid', (uid) => {
    expect(eventsOf(given(shared).when(add(), uid))).toMatchObject([
      {
        type: 'VersionAdded',
        data: { versionId: 'v2', major: 1, minor: 1, taggedUsers: ['bob'], file: { key: `${uid}/ProjectMediaFiles/p1/v2/1_1-audio` } },
      },
    ]);
  });

  test('cannot be added by viewers and visitors', () => {
    given(shared).when(add(), 'bob').thenRefused('project.not-allowed');
    given(shared.made('public')).when(add(), 'zoe').thenRefused('project.not-allowed');
  });

  test.each<[string, ProjectHistory, UpdateType, string]>([
    ['minor on 1.0', shared, 'minor', '1.1'],
    ['major on 1.0', shared, 'major', '2.0'],
    ['minor on 2.3', shared.withVersion('x', { major: 2, minor: 3 }), 'minor', '2.4'],
    ['minor, when the highest was removed', shared.withVersion('x', { major: 2, minor: 3 }).withoutVersion('x'), 'minor', '2.4'],
    ['major, when the highest was removed', shared.withVersion('x', { major: 2, minor: 3 }).withoutVersion('x'), 'major', '3.0'],
    ['minor, when all were removed', shared.withoutVersion('v1'), 'minor', '1.1'],
    ['minor, when the highest was refused', shared.withVersion('x').rejected('x'), 'minor', '1.2'],
  ])('numbers are never assigned twice: %s', (_what, history, updateType, number) => {
    const [added] = eventsOf(given(history).when(add({ updateType }), 'ana'));
    expect(added?.type === 'VersionAdded' ? `${added.data.major}.${added.data.minor}` : null).toBe(number);
  });

  test('an id or upload of any version, even a removed one, cannot be reused', () => {
    given(shared)
      .when(add({ versionId: 'v1' }), 'ana')
      .thenRefused('upload.not-found');
    given(shared)
      .when(add({ uploadId: 'upload-v1' }), 'ana')
      .thenRefused('upload.not-found');
    given(shared.withoutVersion('v1'))
      .when(add({ uploadId: 'upload-v1' }), 'ana')
      .thenRefused('upload.not-found');
  });
});

describe('the result of an analysis', () => {
  const analysis = { duration: 60, sampleRate: 44_100, channels: 2, codec: 'flac', loudness: null, truePeak: null };
  const copy = { key: 'c', size: 9, contentType: 'audio/flac', codec: 'flac' };
  const found = (uploadId: string, made: PlaybackCopy | null = null): ProjectCommand => ({
    type: 'RecordAnalysis',
    data: { versionId: 'v1', uploadId, analysis, peaksKey: 'k', peaksLevels: 2, copy: made },
  });
  const copied: ProjectCommand = { type: 'RecordCopy', data: { versionId: 'v1', uploadId: 'upload-v1', copy } };
  const refused = (uploadId: string): ProjectCommand => ({ type: 'RecordRejection', data: { versionId: 'v1', uploadId, code: 'upload.not-audio' } });

  test('is recorded for the file being analysed', () => {
    given(shared)
      .when(found('upload-v1'), null)
      .then([{ type: 'VersionAnalyzed', data: { versionId: 'v1', uploadId: 'upload-v1', analysis, peaksKey: 'k', peaksLevels: 2 } }]);
    given(shared)
      .when(refused('upload-v1'), null)
      .then([{ type: 'VersionRejected', data: { versionId: 'v1', uploadId: 'upload-v1', code: 'upload.not-audio' } }]);
  });

  test('is recorded after its copy for browsers', () => {
    given(shared)
      .when(found('upload-v1', copy), null)
      .then([
        { type: 'PlaybackCopied', data: { versionId: 'v1', uploadId: 'upload-v1', copy } },
        { type: 'VersionAnalyzed', data: { versionId: 'v1', uploadId: 'upload-v1', analysis, peaksKey: 'k', peaksLevels: 2 } },
      ]);
  });

  test('may get its copy later, once', () => {
    given(shared.analysed('v1'))
      .when(copied, null)
      .then([{ type: 'PlaybackCopied', data: { versionId: 'v1', uploadId: 'upload-v1', copy } }]);
    given(shared.analysed('v1').copied('v1')).when(copied, null).thenNothing();
  });

  test.each<[string, ProjectHistory]>([
    ['is not analysed yet', shared],
    ['was replaced in the meantime', shared.rejected('v1').replaced('v1', 'u2').analysed('v1', 'u2')],
    ['was removed in the meantime', shared.analysed('v1').withoutVersion('v1')],
    ['was removed with its project', shared.analysed('v1').removed()],
  ])('gets no copy later for a file that %s', (_what, history) => {
    given(history).when(copied, null).thenNothing();
  });

  test.each<[string, ProjectHistory]>([
    ['was analysed already', shared.analysed('v1')],
    ['was rejected already', shared.rejected('v1')],
    ['was replaced in the meantime', shared.rejected('v1').replaced('v1', 'u2')],
    ['was removed in the meantime', shared.withoutVersion('v1')],
    ['was removed with its project', shared.removed()],
  ])('changes nothing for a file that %s', (_what, history) => {
    given(history).when(found('upload-v1'), null).thenNothing();
    given(history).when(refused('upload-v1'), null).thenNothing();
  });

  test('is recorded for a replacement', () => {
    expect(eventsOf(given(shared.rejected('v1').replaced('v1', 'u2')).when(found('u2'), null))).toHaveLength(1);
  });
});

describe('replacing a rejected version', () => {
  const refused = shared.withVersion('v2', { by: 'carl' }).rejected('v2');

  test.each(['carl', 'ana'])('%s may replace it; number and uploader stay, and the new file is stored under the uploader, beside the previous one', (uid) => {
    const key = 'carl/ProjectMediaFiles/p1/v2/u3/1_1-audio';
    given(refused)
      .when(replace('v2', 'u3'), uid)
      .then([{ type: 'VersionReplaced', data: { versionId: 'v2', uploadId: 'u3', file: { ...file, key } } }]);
    expect(folded(refused.replaced('v2', 'u3', { by: uid })).versions['v2']).toMatchObject({
      uploaderUid: 'carl',
      major: 1,
      minor: 1,
      state: 'analysing',
      uploadId: 'u3',
    });
  });

  test('its file and the one before are found without the names that keys in events of earlier versions end in', () => {
    const keyIn = (history: ProjectHistory) => folded(history).versions['v2']?.file.key;
    expect([keyIn(refused), keyIn(refused.replaced('v2', 'u3'))]).toEqual(['carl/ProjectMediaFiles/p1/v2/1_1-audio', 'ana/ProjectMediaFiles/p1/v1/1_0-audio']);
  });

  test('is refused to its uploader once they are a viewer, and to all other collaborators', () => {
    given(refused.withPermissions('carl', { access: 3, write: true }, { access: 3, write: false }))
      .when(replace('v2', 'u3'), 'carl')
      .thenRefused('project.not-allowed');
    given(refused.sharedWith('dora', { write: true }))
      .when(replace('v2', 'u3'), 'dora')
      .thenRefused('project.not-allowed');
  });

  test.each([
    ['still being analysed', shared],
    ['fine', shared.analysed('v1')],
    ['replaced already', shared.rejected('v1').replaced('v1', 'u2')],
  ])('a version %s cannot be replaced', (_what, history) => given(history).when(replace('v1', 'u3'), 'ana').thenRefused('version.not-rejected'));

  test('an upload of a version cannot be reused; a removed version is not found', () => {
    given(refused).when(replace('v2', 'upload-v1'), 'ana').thenRefused('upload.not-found');
    given(refused.withoutVersion('v2')).when(replace('v2', 'u3'), 'ana').thenRefused('version.not-found');
  });
});

describe('removing a version', () => {
  const several = shared.withVersion('v2', { by: 'carl' });

  test('is allowed to the owner for any version, and to uploaders for their own, even as viewers', () => {
    for (const uid of ['ana', 'carl'])
      given(several)
        .when(removal('v2'), uid)
        .then([{ type: 'VersionRemoved', data: { versionId: 'v2' } }]);
    const viewer = several.withPermissions('carl', { access: 3, write: true }, { access: 0, write: false });
    given(viewer)
      .when(removal('v2'), 'carl')
      .then([{ type: 'VersionRemoved', data: { versionId: 'v2' } }]);
  });

  test('is refused to other members', () => {
    given(several).when(removal('v1'), 'carl').thenRefused('project.not-allowed');
    given(several).when(removal('v2'), 'bob').thenRefused('project.not-allowed');
    given(several.made('public').without('carl')).when(removal('v2'), 'carl').thenRefused('project.not-allowed');
  });

  test('a second removal is refused; the previous version is current again', () => {
    const removed = several.withoutVersion('v2');
    given(removed).when(removal('v2'), 'ana').thenRefused('version.not-found');
    expect(folded(removed).versionIds).toEqual(['v1']);
    expect(folded(removed.withoutVersion('v1')).versionIds).toEqual([]);
  });
});
