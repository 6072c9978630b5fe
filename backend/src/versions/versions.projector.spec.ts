import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestStores, openTestStores } from '../testing/test-stores.js';
import { anAudioFile, aProject, type ProjectHistory, PROJECT_ID } from '../testing/project-history.js';
import { foldedBy } from '../testing/projected-documents.js';
import { versionsProjector } from './versions.projector.js';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores.close());

async function after(history: ProjectHistory): Promise<unknown> {
  return (await foldedBy(stores, versionsProjector, history.events))['versions/v1'];
}
const added = aProject().ownedBy('ana').sharedWith('carl', { write: true }).withVersion('v1', { by: 'carl' });
const unread = { state: 'analysing', copy: null, analysis: null, peaksKey: null, peaksLevels: 0, rejection: null };

test('a new version is being analysed', async () => {
  expect(await after(added)).toEqual({
    versionId: 'v1',
    projectId: PROJECT_ID,
    major: 1,
    minor: 0,
    tinySummary: 'Initial Version',
    taggedUsers: [],
    uploaderUid: 'carl',
    uploadId: 'upload-v1',
    file: anAudioFile({ key: 'carl/ProjectMediaFiles/p1/v1/1_0-audio' }),
    dateAdded: added.events.at(-1)?.meta.at,
    completedTodos: [],
    initialLogin: false,
    position: 3,
    ...unread,
  });
});

test('a version lists the todos completed under it, in the order completed, until they are removed', async () => {
  const version = { versionId: 'v1', majorUpdate: 1, minorUpdate: 0 };
  const planned = added.withTodo('t1').withTodo('t2').withTodo('t3');
  const done = planned.completing('t2', { version }).completing('t1', { version }).completing('t3');
  expect(await after(done)).toMatchObject({ completedTodos: ['t2', 't1'], position: 8 });
  expect(await after(done.withoutTodo('t2', { completedVersionId: 'v1' }).withoutTodo('t3'))).toMatchObject({ completedTodos: ['t1'], position: 10 });
  expect(await after(done.withoutVersion('v1'))).toBeNull();
});

test('an analysed version is ready and has the results', async () => {
  expect(await after(added.analysed('v1'))).toMatchObject({
    state: 'ready',
    analysis: { loudness: -14 },
    peaksKey: 'peaks-upload-v1',
    peaksLevels: 3,
    position: 4,
  });
});

test('a version has a copy for browsers until its file is replaced', async () => {
  const copied = added.copied('v1');
  expect(await after(copied)).toMatchObject({ state: 'analysing', copy: { key: 'playback-upload-v1', size: 500, codec: 'flac' }, position: 4 });
  expect(await after(copied.rejected('v1').replaced('v1', 'u2'))).toMatchObject({ copy: null });
  expect(await after(added.rejected('v1').replaced('v1', 'u2').copied('v1'))).toMatchObject({ copy: null });
});

test('a rejected version states the reason; its replacement is analysed under the same number', async () => {
  expect(await after(added.rejected('v1'))).toMatchObject({ state: 'rejected', rejection: 'upload.damaged' });
  expect(await after(added.rejected('v1').replaced('v1', 'u2'))).toMatchObject({
    ...unread,
    uploadId: 'u2',
    file: anAudioFile({ key: 'ana/ProjectMediaFiles/p1/v1/1_0-audio' }),
    uploaderUid: 'carl',
    major: 1,
    minor: 0,
  });
});

test('a result for a replaced file is ignored', async () => {
  const replaced = added.rejected('v1').replaced('v1', 'u2');
  expect(await after(replaced.analysed('v1', 'upload-v1').rejected('v1', 'upload-v1'))).toMatchObject({ ...unread, position: 5 });
  expect(await after(replaced.analysed('v1', 'upload-v1').analysed('v1', 'u2'))).toMatchObject({ state: 'ready', peaksKey: 'peaks-u2' });
});

test('a removed version has no document', async () => expect(await after(added.withoutVersion('v1'))).toBeNull());
