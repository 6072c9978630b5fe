import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { projectDecider } from '../projects/project.decider.js';
import { ProjectStreams } from '../projects/project.streams.js';
import { slices } from '../slices.js';
import { alacFile } from '../testing/alac.js';
import { silence, wav } from '../testing/wav.js';
import { type TestStores, openTestStores } from '../testing/test-stores.js';
import { aProject, PROJECT_ID, type ProjectHistory } from '../testing/project-history.js';
import { AnalyseVersionWhenAdded } from './analyse-version-when-added.reactor.js';
import { createAudioWorker } from './audio-worker.js';

const STREAM = projectStream(PROJECT_ID);
const KEY = `ana/ProjectMediaFiles/${PROJECT_ID}/v1/1_0-audio`;
let stores: TestStores;

beforeEach(async () => {
  stores = await openTestStores();
});
afterEach(() => stores.close());

/** The log after reacting to a history whose version's file is not in the store. */
async function reactedTo(history: ProjectHistory): Promise<readonly (readonly [type: string, code: unknown])[]> {
  const before = history.events.length;
  await stores.store.append(STREAM, 'none', await Promise.all(history.events.map((event) => stores.sealer.seal(STREAM, event))));
  const projections = stores.projections();
  await projections.start(slices.projectors);
  const streams = stores.streams();
  const reactor = new AnalyseVersionWhenAdded(new ProjectStreams(streams, projections.deps.readSide), stores.blobs, createAudioWorker(), () => stores.time.now);
  const added = (await stores.store.readStream(STREAM)).filter(({ type }) => reactor.handles.has(type));
  for (const event of await stores.opened.open(added)) await reactor.react(event, new AbortController().signal);
  await projections.stop();
  return (await stores.store.readStream(STREAM, { from: before })).map(({ type, data }) => [type, (data as { readonly code?: unknown }).code]);
}

test('a version whose file is missing is reported as lost, so that it can be replaced', async () => {
  expect(await reactedTo(aProject().ownedBy('ana').withVersion('v1'))).toEqual([['VersionRejected', 'upload.lost']]);
  const state = await stores.streams().state(projectDecider, STREAM);
  expect(state.versions['v1']?.state).toBe('rejected');
});

test('a file found good stays, even if a second analysis of it fails', async () => {
  await stores.blobs.write(KEY, Buffer.from('no audio at all'));
  expect(await reactedTo(aProject().ownedBy('ana').withVersion('v1').analysed('v1'))).toEqual([]);
  expect(await stores.blobs.head(KEY)).not.toBeNull();
});

test('a file that cannot be decoded is deleted when its version is rejected', async () => {
  await stores.blobs.write(KEY, Buffer.from('no audio at all'));
  expect(await reactedTo(aProject().ownedBy('ana').withVersion('v1'))).toEqual([['VersionRejected', 'upload.not-audio']]);
  expect(await stores.blobs.head(KEY)).toBeNull();
});

test('a file whose copy for browsers cannot be made is refused for that, and deleted', async () => {
  // FLAC has no such sample rate.
  await stores.blobs.write(KEY, alacFile({ channels: [Array.from({ length: 1_000 }, (_, at) => at)], sampleRate: 65_537 }));
  expect(await reactedTo(aProject().ownedBy('ana').withVersion('v1', { duration: 0.015 }))).toEqual([['VersionRejected', 'upload.no-copy']]);
  expect(await stores.blobs.list('ana')).toEqual([]);
});

test('nothing is recorded or stored for a version that was removed in the meantime', async () => {
  await stores.blobs.write(KEY, wav({ channelData: [silence(60, 4_000)], sampleRate: 4_000, format: 'float64' }));
  expect(await reactedTo(aProject().ownedBy('ana').withVersion('v1').withoutVersion('v1'))).toEqual([]);
  expect(await stores.blobs.list('ana')).toEqual([KEY]);
});
