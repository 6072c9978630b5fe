import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnalysisResult } from './audio-format.js';
import { createAudioWorker, type AudioWorker } from './audio-worker.js';

const MUSIC = fileURLToPath(new URL('../../../../shared/audio/', import.meta.url));
const withMusic = existsSync(MUSIC) ? describe : describe.skip;

let folder = '';
let worker: AudioWorker;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roughmix-music-'));
  worker = createAudioWorker();
});
afterAll(async () => {
  await worker.close();
  await rm(folder, { recursive: true });
});

async function analyse(path: string): Promise<AnalysisResult> {
  const outFolder = join(folder, 'peaks');
  await rm(outFolder, { recursive: true, force: true });
  await mkdir(outFolder);
  const probe = await worker.probe(path, (await stat(path)).size);
  return worker.analyse(path, { outFolder, duration: probe.ok ? probe.duration : 0 });
}

withMusic('real music (needs ../shared/audio)', () => {
  const results = new Map<string, AnalysisResult>();

  test.each([
    { name: 'inevitable.mp3', codec: 'mp3', duration: 248.6, loudness: -17.9, truePeak: -1.5 },
    { name: 'mix-1_0-demo.mp3', codec: 'mp3', duration: 60, loudness: -25.6, truePeak: -9.6 },
    { name: 'mix-1_1-more-bass.mp3', codec: 'mp3', duration: 60, loudness: -18.3, truePeak: -1.4 },
    { name: 'mix-2_0-loud-master.mp3', codec: 'mp3', duration: 60, loudness: -8.8, truePeak: 1 },
    { name: 'coherence-60s.flac', codec: 'flac', duration: 60, loudness: -21.5, truePeak: -3.2 },
    { name: 'deprecation.m4a', codec: 'aac', duration: 120, loudness: -16.4, truePeak: -0.8 },
    { name: 'awakening.ogg', codec: 'vorbis', duration: 208, loudness: -16.7, truePeak: -1.2 },
    { name: 'By-Product (rough mix) – 3 Überarbeitung.wav', codec: 'pcm_s16le', duration: 45, loudness: -18.6, truePeak: -2.6 },
    { name: 'nebula-10s-96k-24bit.wav', codec: 'pcm_s24le', sampleRate: 96_000, duration: 10, loudness: -23.6, truePeak: -9.5 },
    { name: 'nebula-mono.opus', codec: 'opus', channels: 1, duration: 20, loudness: -25.6, truePeak: -1.6 },
  ])(
    '$name measures as in ffmpeg',
    async ({ name, codec, sampleRate = 48_000, channels = 2, duration, loudness, truePeak }) => {
      const path = join(MUSIC, name);
      const probe = await worker.probe(path, (await stat(path)).size);
      expect(probe).toMatchObject({ ok: true, codec, sampleRate, channels });
      const result = await analyse(path);
      results.set(name, result);
      expect(result).toMatchObject({ ok: true, codec, sampleRate, channels });
      if (!probe.ok || !result.ok) return;
      expect(Math.abs(probe.duration - duration)).toBeLessThan(0.1);
      expect(Math.abs(result.duration - duration)).toBeLessThan(0.1);
      expect(Math.abs((result.loudness ?? 0) - loudness)).toBeLessThan(0.3);
      expect(Math.abs((result.truePeak ?? 0) - truePeak)).toBeLessThan(0.5);
    },
    30_000,
  );

  test.each([
    ['empty.wav', 'upload.empty'],
    ['header-lies.wav', 'upload.damaged'],
    ['playlist-named.mp3', 'upload.not-audio'],
    ['sine.aiff', 'upload.aiff'],
    ['text-named.mp3', 'upload.not-audio'],
    ['truncated.mp3', 'upload.damaged'],
    ['video-only.mp4', 'upload.not-audio'],
    ['zeros.ogg', 'upload.not-audio'],
  ])('the probe refuses bad/%s: %s', async (name, code) => {
    const path = join(MUSIC, 'bad', name);
    expect(await worker.probe(path, (await stat(path)).size)).toEqual({ ok: false, code });
  });

  test('an M4A with its index after the samples measures the same as one with it first', async () => {
    const original = results.get('deprecation.m4a');
    const path = join(folder, 'index-last.m4a');
    await writeFile(path, indexLast(await readFile(join(MUSIC, 'deprecation.m4a'))));
    const turned = await analyse(path);
    expect(original).toMatchObject({ ok: true, duration: 120 });
    expect(turned).toEqual(original);
  });

  test('bad/truncated.flac passes the probe and fails on decoding, which leaves no peaks', async () => {
    const path = join(MUSIC, 'bad', 'truncated.flac');
    expect(await worker.probe(path, (await stat(path)).size)).toMatchObject({ ok: true, codec: 'flac', duration: 60 });
    expect(await analyse(path)).toEqual({ ok: false, code: 'upload.damaged' });
    expect(await readdir(join(folder, 'peaks'))).toEqual([]);
  });
});

/** The same M4A with its second box, moov, moved to the end and its chunk offsets adjusted. */
function indexLast(original: Buffer): Uint8Array {
  const start = original.readUInt32BE(0);
  const length = original.readUInt32BE(start);
  const moov = Buffer.from(original.subarray(start, start + length));
  const table = moov.indexOf('stco') + 4;
  for (let entry = 0; entry < moov.readUInt32BE(table + 4); entry++) {
    const place = table + 8 + entry * 4;
    moov.writeUInt32BE(moov.readUInt32BE(place) - length, place);
  }
  return Buffer.concat([original.subarray(0, start), original.subarray(start + length), moov]);
}
