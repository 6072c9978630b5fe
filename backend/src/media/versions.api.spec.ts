import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ProjectAnswer, ProjectView, UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import type { VersionAddedAnswer, VersionAnswer, VersionsAnswer, VersionView } from '@roughmix/contracts/versions/version.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { holdTurns } from '../testing/hold-turns.js';
import { addVersion, analysed, aProjectWith, createProject, smallWav, type CreatedProject, upload } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused, keysOf, statusAndCode } from '../testing/test-client.js';

const NAME = 'By-Product (rough mix) – 3 Überarbeitung.wav';
const VERSION =
  '_id analysis completedTodos dateAdded duration filename initialLogin majorUpdate minorUpdate peaksLevels peaksUrl playback position projectId rejection state taggedUsers tinySummary uploader versionUrl';

let app: TestApp;
let ana: Person;
let bob: Person;
let uma: Person;
let created: CreatedProject;
let version: VersionView;

beforeAll(async () => {
  app = await startApp();
  [ana, bob, uma] = await app.people('Ana', 'Bob', 'Uma');
  created = await aProjectWith(ana, { collaborators: [bob], isPublic: true, filename: NAME });
  version = await analysed(ana, created.versionId);
});
afterAll(() => app.stop());

describe('a version', () => {
  test('shows its original file name and the results of probe and analysis', () => {
    expect(keysOf(version).join(' ')).toBe(VERSION);
    expect(version).toMatchObject({
      _id: created.versionId,
      projectId: created.projectId,
      majorUpdate: 1,
      minorUpdate: 0,
      tinySummary: 'Initial Version',
      versionUrl: `/api/media/${created.versionId}/audio`,
      peaksUrl: `/api/media/${created.versionId}/peaks`,
      filename: NAME,
      state: 'ready',
      duration: 2,
      rejection: null,
      playback: { codec: 'pcm_s16le', isCopy: false },
      uploader: { _id: ana.uid, uid: ana.uid },
    });
    expect(keysOf(version.analysis)).toEqual(['channels', 'codec', 'duration', 'loudness', 'sampleRate', 'truePeak']);
    expect(version.analysis).toMatchObject({ duration: 2, sampleRate: 4_000, channels: 1, codec: 'pcm_s16le' });
  });

  test.each<[what: string, submission: object, word: string]>([
    ['a summary of 45', { tinySummary: 'x'.repeat(45) }, '404 upload.not-found'],
    ['a summary of 46', { tinySummary: 'x'.repeat(46) }, '400 limit.tinySummary'],
    ['no summary', { tinySummary: '' }, '400 request.invalid'],
    ['a blank summary', { tinySummary: ' \n ' }, '400 request.invalid'],
    ['another step', { updateType: 'huge' }, '400 request.invalid'],
  ])('with %s', async (_what, submission, word) => {
    expect(statusAndCode(await ana.post('/api/media', { submission: { projectId: created.projectId, uploadId: 'x', tinySummary: 'x', ...submission } }))).toBe(
      word,
    );
  });

  test('takes its first summary from its own step, else from the project, else the default', async () => {
    const summaries = await Promise.all(
      [{ own: 'Own', project: 'Project' }, { own: '', project: 'Project' }, {}].map(async ({ own, project }: { own?: string; project?: string }) => {
        const { newProject, versionId } = bodyOf(await createProject(ana, project === undefined ? {} : { tinySummary: project }));
        const { uploadId } = await upload(ana, smallWav(), { projectId: newProject._id });
        const initialVersion = { projectId: newProject._id, versionId, uploadId, ...(own === undefined ? {} : { tinySummary: own }) };
        const answer = await ana.post<VersionAnswer>('/api/media/newProject', { initialVersion });
        expect([answer.status, keysOf(answer.body)]).toEqual([201, ['updatedProject', 'version']]);
        return (answer.body.version as VersionView).tinySummary;
      }),
    );
    expect(summaries).toEqual(['Own', 'Project', 'Initial Version']);
  });

  test('mentions the members that its summary names, under their current names', async () => {
    const { uploadId } = await upload(ana, smallWav(), { projectId: created.projectId });
    const tinySummary = '%MENTION_Bob Tester_END% %MENTION_Uma_END% up';
    const answer = await ana.post<VersionAddedAnswer>('/api/media', { submission: { projectId: created.projectId, uploadId, tinySummary } });
    expect(bodyOf(answer).version).toMatchObject({ taggedUsers: [bob.uid], tinySummary });
    bodyOf(await bob.put(`/api/users/${bob.uid}`, { username: 'Bobby' }));
    const { versions } = bodyOf(await ana.get<VersionsAnswer>(`/api/media/${answer.body.versionId}`));
    expect(versions).toMatchObject([{ tinySummary: '%MENTION_Bobby_END% %MENTION_Uma_END% up' }]);
    bodyOf(await ana.post(`/api/media/${answer.body.versionId}`, { projectId: created.projectId }));
  });

  test("mentions everybody else by 'Everyone'", async () => {
    const { uploadId } = await upload(ana, smallWav(), { projectId: created.projectId });
    const answer = await ana.post<VersionAddedAnswer>('/api/media', {
      submission: { projectId: created.projectId, uploadId, tinySummary: '%MENTION_Everyone_END%' },
    });
    const { project } = bodyOf(await ana.get<ProjectAnswer>(`/api/projects/${ana.uid}/${created.projectId}`));
    expect(bodyOf(answer).version).toMatchObject({ taggedUsers: (project.addedUsers ?? []).map(({ uid }) => uid) });
    bodyOf(await ana.post(`/api/media/${answer.body.versionId}`, { projectId: created.projectId }));
  });
});

test('the first version of a project mentions the owner’s invited people, whichever step its summary comes from', async () => {
  bodyOf(await bob.put(`/api/users/${bob.uid}`, { username: 'Bob Tester' }));
  const invitedUsers = [`${bob.uid}-1`];
  const typed = '%MENTION_Bob Tester_END% %MENTION_Uma_END%';
  const added: VersionView[] = [];
  for (const [own, project] of [[typed], [undefined, typed], ['%MENTION_Everyone_END%'], ['Plain', typed]]) {
    const { newProject, versionId } = bodyOf(await createProject(ana, { invitedUsers, ...(project === undefined ? {} : { tinySummary: project }) }));
    const { uploadId } = await upload(ana, smallWav(), { projectId: newProject._id });
    const initialVersion = { projectId: newProject._id, versionId, uploadId, ...(own === undefined ? {} : { tinySummary: own }) };
    added.push(bodyOf(await ana.post<VersionAnswer>('/api/media/newProject', { initialVersion })).version as VersionView);
  }
  expect(added.map(({ tinySummary, taggedUsers }) => [tinySummary, taggedUsers])).toEqual([
    [typed, [bob.uid]],
    [typed, [bob.uid]],
    ['%MENTION_Everyone_END%', [bob.uid]],
    ['Plain', []],
  ]);
  bodyOf(await bob.put(`/api/users/${bob.uid}`, { username: 'Robert' }));
  const { versions } = bodyOf(await ana.get<VersionsAnswer>(`/api/media/${added.map(({ _id }) => _id).join(',')}`));
  const renamed = '%MENTION_Robert_END% %MENTION_Uma_END%';
  expect(versions.map(({ tinySummary }) => tinySummary)).toEqual([renamed, renamed, '%MENTION_Everyone_END%', 'Plain']);
});

const numberOf = ({ majorUpdate, minorUpdate }: VersionView): string => `${majorUpdate}.${minorUpdate}`;
const remove = (who: Person, projectId: string, versionId: string): Promise<Answer<UpdatedProjectAnswer>> => who.post(`/api/media/${versionId}`, { projectId });

test('numbers continue from the highest ever assigned, and none is assigned twice', async () => {
  const { projectId, versionId } = await aProjectWith(ana);
  const numbers: string[] = [];
  const added: VersionView[] = [];
  for (const updateType of [undefined, 'minor', 'major', 'minor'] as const)
    added.push(await addVersion(ana, projectId, updateType === undefined ? {} : { updateType }));
  numbers.push(...added.map(numberOf));
  for (const { _id } of added.slice(2)) bodyOf(await remove(ana, projectId, _id));
  numbers.push(numberOf(await addVersion(ana, projectId)), numberOf(await addVersion(ana, projectId, { updateType: 'major' })));
  expect(numbers).toEqual(['1.1', '1.2', '2.0', '2.1', '2.2', '3.0']);
  const { project } = bodyOf(await ana.get<ProjectAnswer>(`/api/projects/${ana.uid}/${projectId}`));
  expect(project.versions.map(numberOf)).toEqual(['1.0', '1.1', '1.2', '2.2', '3.0']);
  expect(project.versionIds).toEqual(project.versions.map(({ _id }) => _id));
  expect(project.currentVersion).toEqual(project.versions.at(-1));
  expect(project.versionIds[0]).toBe(versionId);
});

test('a removed version has no audio, download or peaks and is in no list; removing the last one leaves no current version', async () => {
  const { projectId, versionId } = await aProjectWith(ana);
  await analysed(ana, versionId);
  const answer = await remove(ana, projectId, versionId);
  expect([answer.status, keysOf(answer.body)]).toEqual([200, ['updatedProject']]);
  expect(answer.body.updatedProject).toMatchObject({ versionIds: [], versions: [], currentVersion: null, versionUrl: null } satisfies Partial<ProjectView>);
  for (const what of ['audio', 'download', 'peaks']) expectRefused(await ana.get(`/api/media/${versionId}/${what}`), 'version.not-found');
  expect(bodyOf(await ana.get<VersionsAnswer>(`/api/media/${versionId}`)).versions).toEqual([]);
  expectRefused(await remove(ana, projectId, versionId), 'version.not-found');
  expectRefused(await remove(ana, projectId, created.versionId), 'version.not-found');
  expectRefused(await ana.put(`/api/projects/${projectId}/newVersion`, { versionId }), 'version.not-found');
  expect(numberOf(await addVersion(ana, projectId))).toBe('1.1');
});

test('lists keep the requested order and leave out versions that the caller cannot see', async () => {
  const hidden = await aProjectWith(bob);
  const second = await addVersion(ana, created.projectId);
  const ids = [second._id, 'nothing', hidden.versionId, created.versionId, second._id];
  for (const path of ['/api/media', '/api/media/lite']) {
    const { versions } = bodyOf(await uma.get<VersionsAnswer>(`${path}/${ids.join(',')}`));
    expect(versions.map(({ _id }) => _id)).toEqual([second._id, created.versionId]);
  }
});

test('members with write access add versions: 201 with the version, its id and the project', async () => {
  const { projectId } = await aProjectWith(ana, { collaborators: [bob] });
  const { uploadId, versionId } = await upload(bob, smallWav(), { projectId });
  const giveBack = holdTurns(app.inside.audio.turns.analyse, bob.uid);
  const answer = await bob.post<VersionAddedAnswer>('/api/media', { submission: { projectId, uploadId, tinySummary: ' Two\nlines ', updateType: 'minor' } });
  expect([answer.status, keysOf(answer.body)]).toEqual([201, ['currentVersion', 'updatedProject', 'version', 'versionId', 'versionUrl']]);
  expect(answer.body).toMatchObject({
    versionId,
    versionUrl: `/api/media/${versionId}/audio`,
    version: { _id: versionId, tinySummary: 'Two lines', state: 'analysing' },
  });
  expect(answer.body.currentVersion).toEqual(answer.body.version);
  expect(Number(answer.headers.get('x-position'))).toBe(answer.body.version.position);
  await giveBack();
});
