import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { buffer } from 'node:stream/consumers';
import { ProjectStreams } from '../projects/project.streams.js';
import { slices } from '../slices.js';
import { extensibleWav } from '../testing/extensible-wav.js';
import { aProject, PROJECT_ID, type ProjectHistory } from '../testing/project-history.js';
import { type TestStores, openTestStores } from '../testing/test-stores.js';
import { silence, wav, type WavSampleFormat } from '../testing/wav.js';
import { createAudioWorker } from './audio-worker.js';
import { CopyVersionWhenAnalysed } from './copy-version-when-analysed.reactor.js';

const STREAM = projectStream(PROJECT_ID);
const COPY = `ana/ProjectMediaFiles/${PROJECT_ID}/v1/playback-upload-v1`;
const file = (format: WavSampleFormat): Uint8Array => wav({ channelData: [silence(0.1)], format });
const song = aProject().ownedBy('ana').withVersion('v1');

let stores: TestStores;
beforeEach(async () => {
  stores = await openTestStores();
});
afterEach(() => stores.close());

/** What is appended to the log by reactions to a history whose version has these bytes. */
async function reactedTo(history: ProjectHistory, bytes: Uint8Array | null, startedAt = Date.now()): Promise<readonly unknown[]> {
  const before = history.events.length;
  await stores.store.append(STREAM, 'none', await Promise.all(history.events.map((event) => stores.sealer.seal(STREAM, event))));
  const projections = stores.projections();
  await projections.start(slices.projectors);
  const streams = new ProjectStreams(stores.streams(), projections.deps.readSide);
  const key = (await streams.state(PROJECT_ID)).versions['v1']?.file.key ?? '';
  if (bytes) await stores.blobs.write(key, bytes);
  const reactor = new CopyVersionWhenAnalysed(streams, stores.blobs, createAudioWorker(), () => startedAt);
  const analysed = await stores.opened.open((await stores.store.readStream(STREAM)).filter(({ type }) => reactor.handles.has(type)));
  // At least once.
  for (const event of [...analysed, ...analysed]) await reactor.react(event, new AbortController().signal);
  await projections.stop();
  return (await stores.store.readStream(STREAM, { from: before })).map(({ type, data }) => ({ type, data }));
}

test.each([
  { what: '64-bit floats', bytes: file('float64'), copy: file('float32'), codecs: ['pcm_f64le', 'pcm_f32le'] as const },
  { what: 'padded samples', bytes: extensibleWav(file('pcm32'), 24), copy: file('pcm32'), codecs: ['pcm_s32le', 'pcm_s32le'] as const },
])('a version with $what that was analysed before copies existed gets its copy, once', async ({ bytes, copy, codecs: [analysed, codec] }) => {
  expect(await reactedTo(song.analysed('v1', 'upload-v1', analysed), bytes)).toEqual([
    {
      type: 'PlaybackCopied',
      data: { versionId: 'v1', uploadId: 'upload-v1', copy: { key: COPY, size: copy.length, contentType: 'audio/wav', codec } },
    },
  ]);
  expect(await buffer(await stores.blobs.read(COPY))).toEqual(Buffer.from(copy));
});

test.each<[what: string, history: ProjectHistory, bytes: Uint8Array | null]>([
  ['browsers play', song.analysed('v1', 'upload-v1', 'pcm_s24le'), file('pcm24')],
  ['cannot be read', song.analysed('v1', 'upload-v1', 'alac'), file('pcm24').subarray(0, 60)],
  ['is missing', song.analysed('v1', 'upload-v1', 'alac'), null],
  ['has a copy', song.analysed('v1', 'upload-v1', 'pcm_f64le').copied('v1'), file('float64')],
  ['was removed', song.analysed('v1', 'upload-v1', 'pcm_f64le').withoutVersion('v1'), file('float64')],
  ['was removed with its project', song.analysed('v1', 'upload-v1', 'pcm_f64le').removed(), file('float64')],
])('nothing is recorded or stored for a file that %s', async (_what, history, bytes) => {
  expect(await reactedTo(history, bytes)).toEqual([]);
  expect(await stores.blobs.head(COPY)).toBeNull();
});

test('analyses of the running program have made their copies', async () => {
  const analysed = song.analysed('v1', 'upload-v1', 'pcm_f64le');
  expect(await reactedTo(analysed, file('float64'), analysed.events.at(-1)?.meta.at)).toEqual([]);
});
