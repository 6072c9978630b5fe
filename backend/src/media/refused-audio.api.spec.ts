import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { VersionAnswer, VersionView } from '@roughmix/contracts/versions/version.view.js';
import type { ProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { holdTurns } from '../testing/hold-turns.js';
import { analysed, announce, aProjectWith, createProject, smallWav, type CreatedProject, upload } from '../testing/project-over-http.js';
import { silentFlac } from '../testing/silent-flac.js';
import { type Answer, bodyOf, expectRefused, statusAndCode } from '../testing/test-client.js';

const BAD = fileURLToPath(new URL('../../../../shared/audio/bad/', import.meta.url));

let app: TestApp;
let ana: Person;
let bob: Person;
let created: CreatedProject;

beforeAll(async () => {
  app = await startApp();
  [ana, bob] = await app.people('Ana', 'Bob');
  created = await aProjectWith(ana, { collaborators: [bob] });
  await analysed(ana, created.versionId);
});
afterAll(() => app.stop());

const addTo = (who: Person, projectId: string, uploadId: string): Promise<Answer> =>
  who.post('/api/media', { submission: { projectId, uploadId, tinySummary: 'x' } });

/** Expects both endpoints to refuse the file and nothing of it to remain. */
async function expectRefusedAndGone(bytes: Uint8Array, filename: string, word: string): Promise<void> {
  const { newProject, versionId } = bodyOf(await createProject(ana));
  const projectId = newProject._id;
  const blobs = await app.blobs();
  const first = await upload(ana, bytes, { projectId, filename });
  expect(statusAndCode(await ana.post('/api/media/newProject', { initialVersion: { projectId, versionId, uploadId: first.uploadId } }))).toBe(word);
  const next = await upload(ana, bytes, { projectId: created.projectId, filename });
  expect(statusAndCode(await addTo(ana, created.projectId, next.uploadId))).toBe(word);
  expect(await app.blobs()).toEqual(blobs);
  expect(bodyOf(await ana.get<ProjectAnswer>(`/api/projects/${ana.uid}/${projectId}`)).project.versionIds).toEqual([]);
  expect(bodyOf(await ana.get<ProjectAnswer>(`/api/projects/${ana.uid}/${created.projectId}`)).project.versionIds).toEqual([created.versionId]);
  expectRefused(await addTo(ana, created.projectId, next.uploadId), 'upload.not-found');
}

test.each<[what: string, bytes: () => Uint8Array, word: string]>([
  ['text', () => Buffer.from('This is a text, not a song.\n'), '400 upload.not-audio'],
  ['a playlist', () => Buffer.from('#EXTM3U\n#EXTINF:1,x\nhttp://127.0.0.1/x.mp3\n'), '400 upload.not-audio'],
  ['zeros', () => new Uint8Array(4_096), '400 upload.not-audio'],
  ['one byte', () => new Uint8Array(1), '400 upload.not-audio'],
  ['an AIFF', () => Buffer.concat([Buffer.from('FORM\0\0\x10\0AIFFCOMM\0\0\0\x12'), Buffer.alloc(4_096)]), '400 upload.aiff'],
  ['a WAV shorter than its header says', () => smallWav().slice(0, 8_000), '400 upload.damaged'],
  ['a FLAC that does not state its length', () => silentFlac({ seconds: 2, claimedSeconds: 0 }), '400 upload.no-length'],
  ['WAV with ADPCM', () => Buffer.from(smallWav()).fill(2, 20, 21), '400 upload.no-copy'],
  ['three hours', () => silentFlac({ seconds: 10_800, sampleRate: 8_000 }), '400 upload.too-long'],
])('%s is refused, and nothing of it is kept', async (_what, bytes, word) => {
  await expectRefusedAndGone(bytes(), 'song.wav', word);
});

(existsSync(BAD) ? describe : describe.skip)('in the folder of bad files', () => {
  test.each([
    ['header-lies.wav', '400 upload.damaged'],
    ['playlist-named.mp3', '400 upload.not-audio'],
    ['sine.aiff', '400 upload.aiff'],
    ['text-named.mp3', '400 upload.not-audio'],
    ['truncated.mp3', '400 upload.damaged'],
    ['video-only.mp4', '400 upload.not-audio'],
    ['zeros.ogg', '400 upload.not-audio'],
  ])('%s is %s', async (name, word) => {
    await expectRefusedAndGone(await readFile(`${BAD}${name}`), name, word);
  });
});

describe('a file found damaged while decoding', () => {
  let rejected: CreatedProject;
  let version: VersionView;
  beforeAll(async () => {
    rejected = await aProjectWith(ana, { collaborators: [bob], isPublic: true, bytes: silentFlac({ seconds: 2, claimedSeconds: 20 }), filename: 'a.flac' });
    version = await analysed(ana, rejected.versionId);
    await app.reactorsIdle();
  });

  const replace = (who: Person, uploadId: string): Promise<Answer<VersionAnswer>> =>
    who.put(`/api/media/${rejected.versionId}`, { projectId: rejected.projectId, uploadId });

  test('is a rejected version that stays current and shows the reason', async () => {
    expect(version).toMatchObject({
      state: 'rejected',
      analysis: null,
      peaksUrl: null,
      peaksLevels: 0,
      versionUrl: `/api/media/${rejected.versionId}/audio`,
      rejection: { code: 'upload.damaged', detail: 'This file is damaged: it ends before its header says' },
    });
    const { project } = bodyOf(await ana.get<ProjectAnswer>(`/api/projects/${ana.uid}/${rejected.projectId}`));
    expect([project.versionIds, project.currentVersion]).toEqual([[rejected.versionId], version]);
    expect((await app.blobs()).filter((path) => path.includes(rejected.versionId))).toEqual([]);
  });

  test.each(['audio', 'download', 'peaks'])('has no %s', async (what) => {
    expectRefused(await ana.get(`/api/media/${rejected.versionId}/${what}`), 'version.not-found');
  });

  test('can be replaced by its uploader or the owner, and keeps its id and number', async () => {
    expectRefused(await announce(bob, { projectId: rejected.projectId, versionId: rejected.versionId }), 'project.not-allowed');
    expectRefused(await replace(bob, 'x'), 'project.not-allowed');
    expectRefused(await replace(ana, 'x'), 'upload.not-found');
    const elsewhere = await upload(ana, smallWav(), { projectId: rejected.projectId });
    expectRefused(await replace(ana, elsewhere.uploadId), 'upload.not-found');
    const whole = silentFlac({ seconds: 30, channels: 1 });
    const { uploadId, versionId } = await upload(ana, whole, { projectId: rejected.projectId, versionId: rejected.versionId, filename: 'b.flac' });
    expect(versionId).toBe(rejected.versionId);
    const giveBack = holdTurns(app.inside.audio.turns.analyse, ana.uid);
    const answer = await replace(ana, uploadId);
    expect(answer.body).toMatchObject({ version: { _id: versionId, majorUpdate: 1, minorUpdate: 0, state: 'analysing', filename: 'b.flac', rejection: null } });
    await giveBack();
    expect(await analysed(ana, versionId ?? '')).toMatchObject({ state: 'ready', duration: 30 });
    expectRefused(await replace(ana, uploadId), 'version.not-rejected');
    expect((await ana.raw('GET', `/api/media/${rejected.versionId}/audio`)).status).toBe(200);
  });
});
