import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aacConfig, aacFrame, adts } from '../testing/aac.js';
import { aacEntry, mp4 } from '../testing/mp4.js';
import { silentAdts, silentMp3, vbriMp3 } from '../testing/mpeg.js';
import { withAudioFile } from './audio-file.js';
import { decodeAudio } from './decode-audio.js';
import { readFormat } from './probe.js';

/** Compared with what Chromium decodes and plays in infra/bench/player.mjs, part time-zero. */
const SONG = fileURLToPath(new URL('../../../../shared/audio/deprecation.m4a', import.meta.url));
const withMusic = existsSync(SONG) ? describe : describe.skip;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roughmix-time-zero-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Decoded {
  /** As probed, in samples. */
  readonly probed: number;
  readonly samples: number;
  /** The first channel's beginning. */
  readonly start: Float32Array;
  /** The index of the first sample that is not silent. */
  readonly sound: number;
}

async function decoded(bytes: Uint8Array): Promise<Decoded> {
  const path = join(folder, 'song');
  await writeFile(path, bytes);
  return withAudioFile(path, bytes.length, async (file) => {
    const format = await readFormat(file);
    const start = new Float32Array(format.sampleRate);
    let samples = 0;
    for await (const { channelData } of decodeAudio(file, format)) {
      const channel = channelData[0] ?? new Float32Array(0);
      if (samples < start.length) start.set(channel.subarray(0, start.length - samples), samples);
      samples += channel.length;
    }
    return { probed: (format.duration ?? 0) * format.sampleRate, samples, start, sound: start.findIndex((sample) => Math.abs(sample) > 1e-4) };
  });
}

describe('in an MP3, music starts where players start it', () => {
  const song = { frames: 50, clickIn: 10 };
  const headed = (encoder: string) => silentMp3({ ...song, info: { frames: 50, added: { encoder, before: 576, after: 1_000 } } });
  const decoder = 529;

  test('after what the encoder and the decoder add, if the header is by LAME or libav', async () => {
    const plain = await decoded(silentMp3(song));
    expect([plain.samples, plain.sound]).toEqual([50 * 1_152, expect.any(Number)]);
    expect(plain.sound).toBeGreaterThan(10 * 1_152);
    for (const encoder of ['LAME3.100', 'Lavc59.37', 'Lavf58.29']) {
      const { samples, sound } = await decoded(headed(encoder));
      expect([encoder, samples, sound]).toEqual([encoder, 50 * 1_152 - 1_576, plain.sound - 576 - decoder]);
    }
  });

  test.each([
    ["another encoder's header", () => headed('GOGO3.13a')],
    ['a header without an encoder', () => silentMp3({ ...song, info: { frames: 50 } })],
    ['a VBRI header', () => vbriMp3(song)],
  ])('with its first frame of music after %s', async (_what, bytes) => {
    const [plain, other] = [await decoded(silentMp3(song)), await decoded(bytes())];
    expect([other.samples, other.sound, other.start]).toEqual([plain.samples, plain.sound, plain.start]);
    expect(other.probed).toBeCloseTo(other.samples, -2);
  });
});

test('in an MP3 with junk in front, music starts after the frame of its header, which players play as silence', async () => {
  const song = { frames: 50, clickIn: 10 };
  const plain = await decoded(silentMp3(song));
  const headed = silentMp3({ ...song, info: { frames: 50, added: { encoder: 'LAME3.100', before: 576, after: 1_000 } } });
  const { samples, sound } = await decoded(Uint8Array.from([...new Uint8Array(100).fill(0x55), ...headed]));
  expect([samples, sound]).toEqual([51 * 1_152, plain.sound + 1_152]);
});

test('in an MP3 whose header counts no frames, music starts after what the encoder and the decoder add', async () => {
  const song = { frames: 50, clickIn: 10 };
  const plain = await decoded(silentMp3(song));
  const info = { frames: 0, bytes: 51 * 417, added: { encoder: 'LAME3.100', before: 576, after: 1_000 } };
  const { samples, sound } = await decoded(silentMp3({ ...song, info }));
  expect([samples, sound]).toEqual([50 * 1_152 - 576 - 529, plain.sound - 576 - 529]);
});

test('AAC starts at the same sample at every rate of its core', async () => {
  const starts = [];
  for (const sampleRate of [8_000, 16_000, 22_050, 24_000, 32_000, 48_000]) {
    const frames = Array.from({ length: 10 }, (_, at) => aacFrame({ configuration: 1, sampleRate, sounding: at === 4 ? [0] : [] }));
    const entry = aacEntry(aacConfig(sampleRate, 1));
    for (const bytes of [adts(frames, { sampleRate, configuration: 1 }), mp4({ frames, frameSamples: 1_024, sampleRate, entry })]) {
      const { samples, sound } = await decoded(bytes);
      starts.push([samples, Math.floor(sound / 1_024)]);
    }
  }
  expect(starts).toEqual(Array.from({ length: 12 }, () => [10 * 1_024, 4]));
});

test('AAC in ADTS keeps the length of its first frame, which the decoder leaves out', async () => {
  const { samples, probed } = await decoded(silentAdts(20));
  expect(samples).toBe(20 * 1_024);
  expect(probed).toBeCloseTo(samples, -2);
});

withMusic('in an MP4', () => {
  const PRIMING = 1_024;

  test('music starts where the edit list says, and without one with the first frame', async () => {
    const bytes = new Uint8Array(await readFile(SONG));
    const edits = Buffer.from(bytes.buffer).indexOf('edts');
    const [edited, whole] = [await decoded(bytes), await decoded(bytes.with(edits, 'x'.charCodeAt(0)))];
    expect([edited.samples, whole.samples]).toEqual([120 * 48_000, 120 * 48_000 + PRIMING]);
    expect([edited.probed, whole.probed]).toEqual([edited.samples, expect.closeTo(whole.samples, -2)]);
    expect(whole.start.subarray(PRIMING)).toEqual(edited.start.subarray(0, -PRIMING));
  });
});
