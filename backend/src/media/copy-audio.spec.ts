import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AlacContent, alacFile } from '../testing/alac.js';
import { extensibleWav } from '../testing/extensible-wav.js';
import { silentAdts, silentMp3 } from '../testing/mpeg.js';
import { silentFlac } from '../testing/silent-flac.js';
import { silence, sine, wav, type WavSampleFormat } from '../testing/wav.js';
import type { CopyResult } from './audio-format.js';
import { withAudioFile } from './audio-file.js';
import { copyAudio, copyForBrowsers } from './copy-audio.js';
import { decodeAudio } from './decode-audio.js';
import { readFormat } from './probe.js';

const FOUND = fileURLToPath(new URL('../../../../shared/audio/found/', import.meta.url));

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roughmix-copy-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function stored(bytes: Uint8Array): Promise<string> {
  const path = join(folder, 'upload');
  await writeFile(path, bytes);
  return path;
}

const copyOf = async (bytes: Uint8Array): Promise<CopyResult> => copyAudio(await stored(bytes), folder);
const written = async (): Promise<Buffer> => readFile(join(folder, 'playback'));
const made = (codec: string, contentType: string): CopyResult => ({ ok: true, copy: { path: join(folder, 'playback'), codec, contentType } });
const stereo = [sine({ seconds: 0.1 }), sine({ seconds: 0.1, frequency: 440 })];

test('WAV with 64-bit floats becomes WAV with 32-bit floats of the same values', async () => {
  expect(await copyOf(wav({ channelData: stereo, format: 'float64' }))).toEqual(made('pcm_f32le', 'audio/wav'));
  expect(await written()).toEqual(Buffer.from(wav({ channelData: stereo, format: 'float32' })));
});

test.each<[valid: number, format: WavSampleFormat, codec: string]>([
  [24, 'pcm32', 'pcm_s32le'],
  [20, 'pcm24', 'pcm_s24le'],
  [0, 'pcm16', 'pcm_s16le'],
])('WAV with %i valid bits in a sample of %s gets a plain header, and keeps its samples', async (valid, format, codec) => {
  const plain = wav({ channelData: stereo, format });
  expect(await copyOf(extensibleWav(plain, valid))).toEqual(made(codec, 'audio/wav'));
  expect(await written()).toEqual(Buffer.from(plain));
});

test.each<[what: string, bytes: () => Uint8Array]>([
  ['WAV of 8 bits', () => wav({ channelData: stereo, format: 'pcm8' })],
  ['WAV of 24 bits', () => wav({ channelData: stereo, format: 'pcm24' })],
  ['WAV of 32-bit floats', () => wav({ channelData: stereo, format: 'float32' })],
  ['extensible WAV without padding', () => extensibleWav(wav({ channelData: stereo, format: 'pcm24' }), 24)],
  ['FLAC', () => silentFlac({ seconds: 1 })],
  ['MP3', () => silentMp3({ frames: 10 })],
  ['AAC', () => silentAdts(10)],
])('%s is not copied', async (_what, bytes) => expect(await copyOf(bytes())).toEqual({ ok: true, copy: null }));

describe('ALAC becomes FLAC', () => {
  /** All samples of the copy as whole numbers, with what its header says. */
  async function flac(): Promise<{ readonly channels: readonly (readonly number[])[]; readonly bits: number; readonly rate: number; readonly total: number }> {
    const head = await written();
    const rate = head.readUInt32BE(18) >>> 12;
    const bits = ((head.readUInt32BE(18) >>> 4) & 31) + 1;
    return withAudioFile(join(folder, 'playback'), head.length, async (file) => {
      const format = await readFormat(file);
      const channels: number[][] = Array.from({ length: format.channels }, () => []);
      for await (const { channelData } of decodeAudio(file, format)) {
        // The decoder divides by the largest sample.
        for (const [channel, samples] of channelData.entries())
          channels[channel]?.push(...[...samples].map((sample) => Math.round(sample * (2 ** (bits - 1) - 1))));
      }
      return { channels, bits, rate, total: head.readUInt32BE(22) };
    });
  }

  /** Changing whole numbers of all sizes. */
  const noise = (bits: number, seed: number): readonly number[] =>
    Array.from({ length: 5_000 }, (_, at) => (Math.imul(at + seed, 2_654_435_761) ^ (at << 13)) >> (32 - bits));

  test.each<[bits: NonNullable<AlacContent['bits']>, flacBits: number, rate: number]>([
    [16, 16, 44_100],
    [20, 24, 48_000],
    [24, 24, 192_000],
  ])('with the same samples, %i bits as %i, at %i Hz', async (bits, flacBits, rate) => {
    const channels = [noise(bits, 1), noise(bits, 2)];
    expect(await copyOf(alacFile({ channels, bits, sampleRate: rate }))).toEqual(made('flac', 'audio/flac'));
    const scaled = channels.map((samples) => samples.map((sample) => sample * 2 ** (flacBits - bits)));
    expect(await flac()).toEqual({ channels: scaled, bits: flacBits, rate, total: 5_000 });
  });

  test('with one channel', async () => {
    await copyOf(alacFile({ channels: [noise(16, 1)] }));
    expect((await flac()).channels).toEqual([noise(16, 1)]);
  });

  test('with the channels of 5.1 in its own order', async () => {
    const [centre, left, right, leftSurround, rightSurround, low] = [1, 2, 3, 4, 5, 6].map((seed) => noise(16, seed));
    const alac = [centre, left, right, leftSurround, rightSurround, low].map((samples = []) => samples);
    await copyOf(alacFile({ channels: alac }));
    expect((await flac()).channels).toEqual([left, right, centre, low, leftSurround, rightSurround]);
  });
});

test('a copy that would be far larger than its original is not made', async () => {
  const path = await stored(wav({ channelData: [silence(6)], format: 'float64' }));
  const copying = withAudioFile(path, (await stat(path)).size, async (file) => copyForBrowsers({ ...file, size: 0 }, await readFormat(file), folder));
  await expect(copying).rejects.toThrow('upload.no-copy');
});

(existsSync(FOUND) ? describe : describe.skip)('files that browsers refused (needs ../shared/audio/found)', () => {
  test.each([
    ['alac.m4a', 'flac', 'audio/flac'],
    ['wav-float64.wav', 'pcm_f32le', 'audio/wav'],
  ])('%s is copied as %s', async (name, codec, contentType) => {
    expect(await copyAudio(join(FOUND, name), folder)).toEqual(made(codec, contentType));
  });
});
