import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aacConfig, aacFrame, adts } from '../testing/aac.js';
import { alacFile } from '../testing/alac.js';
import { extensibleWav } from '../testing/extensible-wav.js';
import { aacEntry, mp4 } from '../testing/mp4.js';
import { silentFlac } from '../testing/silent-flac.js';
import { sine, wav } from '../testing/wav.js';
import { withAudioFile } from './audio-file.js';
import { channelWeights, inWaveOrder, layoutByMask } from './channel-layouts.js';
import { decodeAudio } from './decode-audio.js';
import { readFormat } from './probe.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roughmix-layouts-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Samples in which one channel sounds. AAC needs more, as its frames overlap. */
const SLOT = 256;
const AAC_FRAME = 1_024;
const AAC_SLOT = 3 * AAC_FRAME;

/** The speakers of a file's channels in the order of WAV, and those that sound in each slot. */
async function heard(bytes: Uint8Array, slot: number): Promise<{ readonly layout: string; readonly sounding: string }> {
  const path = join(folder, 'song');
  await writeFile(path, bytes);
  return withAudioFile(path, bytes.length, async (file) => {
    const format = await readFormat(file);
    const layout = inWaveOrder(format.layout);
    const energy = layout.map(() => new Float64Array(layout.length));
    let at = 0;
    for await (const { channelData } of decodeAudio(file, format)) {
      for (const [channel, samples] of channelData.entries()) {
        const turns = energy[channel] ?? new Float64Array(0);
        for (const [index, sample] of samples.entries()) turns[Math.floor((at + index) / slot)] = (turns[Math.floor((at + index) / slot)] ?? 0) + sample ** 2;
      }
      at += channelData[0]?.length ?? 0;
    }
    const loudest = layout.map((_, turn) => energy.map((turns) => turns[turn] ?? 0)).map((energies) => energies.indexOf(Math.max(...energies)));
    return { layout: layout.join(' '), sounding: loudest.map((channel) => layout[channel]).join(' ') };
  });
}

const WAVE_ORDER = 'FL FR FC LFE BL BR FLC FRC BC SL SR'.split(' ');
/** The same speakers in the order of WAV. */
const sorted = (speakers: string): string => WAVE_ORDER.filter((speaker) => speakers.split(' ').includes(speaker)).join(' ');

interface Case {
  readonly codec: string;
  /** In the order of the stream. */
  readonly speakers: string;
  /** A file with a tone in one channel after the other, in the order of the stream. */
  readonly make: (channels: number) => Uint8Array;
  readonly slot: number;
}

const tones = (channels: number): readonly Float32Array[] =>
  Array.from({ length: channels }, (_, channel) => {
    const samples = new Float32Array(channels * SLOT);
    samples.set(sine({ seconds: SLOT / 48_000 }), channel * SLOT);
    return samples;
  });

function aac(configuration: number, speakers: string): readonly Case[] {
  const frames = (channels: number): readonly Uint8Array[] =>
    Array.from({ length: (channels * AAC_SLOT) / AAC_FRAME }, (_, at) => aacFrame({ configuration, sounding: [Math.floor((at * AAC_FRAME) / AAC_SLOT)] }));
  const inMp4 = { frameSamples: AAC_FRAME, sampleRate: 48_000, entry: aacEntry(aacConfig(48_000, configuration)) };
  return [
    { codec: 'AAC in MP4', speakers, slot: AAC_SLOT, make: (channels) => mp4({ ...inMp4, frames: frames(channels) }) },
    { codec: 'AAC in ADTS', speakers, slot: AAC_SLOT, make: (channels) => adts(frames(channels), { sampleRate: 48_000, configuration }) },
  ];
}

const alacCase = (speakers: string): Case => ({
  codec: 'ALAC',
  speakers,
  slot: SLOT,
  make: (channels) => alacFile({ channels: tones(channels).map((samples) => [...samples].map((sample) => Math.round(sample * 32_767))) }),
});

const wave = (speakers: string, mask?: number): Case => ({
  codec: mask === undefined ? 'WAV without a mask' : `WAV, mask 0x${mask.toString(16)}`,
  speakers,
  slot: SLOT,
  make: (channels) => {
    const plain = wav({ channelData: tones(channels) });
    return mask === undefined ? plain : extensibleWav(plain, 16, mask);
  },
});

const CASES: readonly Case[] = [
  wave('FC'),
  wave('FL FR'),
  wave('FL FR FC'),
  wave('FL FR BL BR'),
  wave('FL FR FC BL BR'),
  wave('FL FR FC LFE BL BR'),
  wave('FL FR FC LFE BC SL SR'),
  wave('FL FR FC LFE BL BR SL SR'),
  wave('FL FR LFE', 0xb),
  wave('FL FR FC', 0x7),
  wave('FL FR FC LFE', 0xf),
  wave('FL FR FC BC', 0x107),
  wave('FL FR SL SR', 0x603),
  wave('FL FR LFE BL BR', 0x3b),
  wave('FL FR FC LFE SL SR', 0x60f),
  wave('FL FR FC LFE BL BR FLC FRC', 0xff),
  wave('FL FR FC LFE BL BR SL SR', 0x63f),
  ...aac(0, 'FL FR LFE').filter(({ codec }) => codec === 'AAC in ADTS'),
  ...aac(1, 'FC'),
  ...aac(2, 'FL FR'),
  ...aac(3, 'FC FL FR'),
  ...aac(4, 'FC FL FR BC'),
  ...aac(5, 'FC FL FR BL BR'),
  ...aac(6, 'FC FL FR BL BR LFE'),
  ...aac(7, 'FC FLC FRC FL FR BL BR LFE'),
  alacCase('FC'),
  alacCase('FL FR'),
  alacCase('FC FL FR'),
  alacCase('FC FL FR BC'),
  alacCase('FC FL FR BL BR'),
  alacCase('FC FL FR BL BR LFE'),
  alacCase('FC FL FR SL SR BC LFE'),
  alacCase('FC FLC FRC FL FR BL BR LFE'),
];

test.each(CASES)('$codec: each channel of $speakers sounds in its place', async ({ speakers, make, slot }) => {
  expect(await heard(make(speakers.split(' ').length), slot)).toEqual({ layout: sorted(speakers), sounding: speakers });
});

describe('a channel weighs', () => {
  test.each([
    ['FC', [1]],
    ['FL FR', [1, 1]],
    ['FL FR LFE', [1, 1, 0]],
    ['FL FR BL BR', [1, 1, 1.41, 1.41]],
    ['FL FR FC LFE BL BR', [1, 1, 1, 0, 1.41, 1.41]],
    ['FL FR FC LFE SL SR', [1, 1, 1, 0, 1.41, 1.41]],
    ['FL FR FC LFE BC SL SR', [1, 1, 1, 0, 1, 1.41, 1.41]],
    ['FL FR FC LFE BL BR SL SR', [1, 1, 1, 0, 1, 1, 1.41, 1.41]],
    ['FL FR FC LFE BL BR FLC FRC', [1, 1, 1, 0, 1.41, 1.41, 1, 1]],
  ])('in %s by where its speaker stands: %j', (speakers, weights) => {
    const bits = WAVE_ORDER.reduce((mask, speaker, bit) => (speakers.split(' ').includes(speaker) ? mask | (1 << bit) : mask), 0);
    expect(channelWeights(layoutByMask(bits, weights.length))).toEqual(weights);
  });
});

test.each([
  ['no mask', [], 'FL FR FC'],
  ['a mask of 2.1', ['WAVEFORMATEXTENSIBLE_CHANNEL_MASK=0xB'], 'FL FR LFE'],
  ['a mask of other channels', ['WAVEFORMATEXTENSIBLE_CHANNEL_MASK=0x3'], 'FL FR FC'],
])('FLAC of three channels with %s in its comments: %j is %s', async (_what, comments, layout) => {
  expect(await heard(silentFlac({ seconds: 0.1, channels: 3, comments }), SLOT)).toMatchObject({ layout });
});
