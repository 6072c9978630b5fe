import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aacConfig, aacFrame, adts } from '../testing/aac.js';
import { alacFile } from '../testing/alac.js';
import { concat, patched, text } from '../testing/bytes.js';
import { aacEntry, fragmentedMp4, type Mp4, mp4 } from '../testing/mp4.js';
import { silentMp3, vbriMp3 } from '../testing/mpeg.js';
import { silentFlac } from '../testing/silent-flac.js';
import { silence, sine, wav } from '../testing/wav.js';
import { analyseAudio } from './analyse.js';
import type { AnalysisResult, ProbeResult } from './audio-format.js';
import { countFlacSamples } from './flac-frames.js';
import { probeAudio } from './probe.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roughmix-taken-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Read {
  readonly probe: ProbeResult;
  readonly analysis: AnalysisResult | null;
}

async function read(bytes: Uint8Array): Promise<Read> {
  const path = join(folder, 'song');
  await writeFile(path, bytes);
  const probe = await probeAudio(path, bytes.length);
  return { probe, analysis: probe.ok ? await analyseAudio(path, { outFolder: folder, duration: probe.duration }) : null };
}

/** What the probe and the analysis must agree on: seconds (to the millisecond), rate and channels. */
type Taken = readonly [what: string, make: () => Uint8Array, seconds: number, rate: number, channels: number];

async function expectTaken(bytes: Uint8Array, [seconds, sampleRate, channels]: readonly [number, number, number]): Promise<void> {
  const { probe, analysis } = await read(bytes);
  const found = { ok: true, duration: Math.round(seconds * 1_000) / 1_000, sampleRate, channels };
  expect([probe, analysis]).toMatchObject([found, found]);
}
const taken = (cases: readonly Taken[]): void => {
  test.each(cases)('%s', async (_what, make, ...found) => expectTaken(make(), found));
};
const refused = (cases: readonly (readonly [what: string, make: () => Uint8Array, code: string])[]): void => {
  test.each(cases)('%s', async (_what, make, code) => expect((await read(make())).probe).toEqual({ ok: false, code }));
};

const id3v1 = (): Uint8Array => concat(text('TAG'), new Uint8Array(125));
const ape = (hasHeader: boolean): Uint8Array => {
  const part = (isHeader: boolean): Uint8Array =>
    patched(concat(text('APETAGEX'), new Uint8Array(24)), (view) => {
      view.setUint32(8, 2_000, true);
      view.setUint32(12, 32 + 40, true);
      view.setUint32(20, (hasHeader ? 0x80000000 : 0) | (isHeader ? 0x20000000 : 0), true);
    });
  return concat(...(hasHeader ? [part(true)] : []), new Uint8Array(40).fill(65), part(false));
};

describe('WAV is taken', () => {
  const take = (): Uint8Array => wav({ channelData: [sine({ seconds: 0.5 }), silence(0.5)] });
  const sized = (riff: number, data: number): Uint8Array =>
    patched(take(), (view) => {
      view.setUint32(4, riff, true);
      view.setUint32(40, data, true);
    });
  const whole = 96_000;
  taken([
    ['never closed, with no size at all', () => sized(0, 0), 0.5, 48_000, 2],
    ['never closed, with the size of its header', () => sized(36, 0), 0.5, 48_000, 2],
    ['never closed, with the size of a page', () => sized(4_088, 0), 0.5, 48_000, 2],
    ['with a whole that is 8 bytes too long', () => sized(whole + 44, whole), 0.5, 48_000, 2],
    ['with a whole of 4 GB', () => sized(0xfffffff0, whole), 0.5, 48_000, 2],
    ['with a whole of nothing', () => sized(0, whole), 0.5, 48_000, 2],
    ['from a pipe', () => sized(0xffffffff, 0xffffffff), 0.5, 48_000, 2],
    ['with sizes of 2 GB', () => sized(0x7fffffff, 0x7fffffff), 0.5, 48_000, 2],
    ['with sizes of 2 GB less a header', () => sized(0x7ffff024, 0x7ffff000), 0.5, 48_000, 2],
    ['of unknown size, up to its tags', () => concat(sized(0, 0), ape(true), id3v1()), 0.5, 48_000, 2],
    ['whose samples look like a tag', () => patched(take(), (view) => view.setUint32(take().length - 128, 0x54414700)), 0.5, 48_000, 2],
  ]);
});

describe('WAV is refused', () => {
  const sized = (data: number): Uint8Array => patched(wav({ channelData: [silence(0.1)] }), (view) => view.setUint32(40, data, true));
  refused([
    ['one byte below the sizes that mean unknown', () => sized(0x7fffefff), 'upload.damaged'],
    ['just above them', () => sized(0x80000000), 'upload.damaged'],
    ['just below 4 GB', () => sized(0xfffffffe), 'upload.damaged'],
  ]);
});

const FRAME = 1_152 / 44_100;
const headed = (info: object): Uint8Array => silentMp3({ frames: 60, info: { added: { encoder: 'LAME3.100', before: 576, after: 1_000 }, ...info } });
const usual = (): Uint8Array => headed({ frames: 60, bytes: 61 * 417 });
const id3v2 = (stated: number): Uint8Array => concat(text('ID3'), Uint8Array.of(4, 0, 0, 0, 0, (stated >> 7) & 127, stated & 127), new Uint8Array(stated));
const junk = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(0x55);

describe('MP3 is taken, as long as browsers play it,', () => {
  const played = 60 * FRAME - 1_576 / 44_100;
  const withoutDelay = (frames: number): number => frames * FRAME - (576 + 529) / 44_100;
  taken([
    ['with a header of 0 frames that states its bytes', () => headed({ frames: 0, bytes: 61 * 417 }), withoutDelay(60), 44_100, 2],
    ['with a header without frames', () => headed({ bytes: 61 * 417 }), withoutDelay(60), 44_100, 2],
    ['with a header of nothing, which is played', () => headed({ frames: 0, bytes: 0 }), withoutDelay(61), 44_100, 2],
    ['with a VBRI header of nothing, which is played', () => vbriMp3({ frames: 60, hasCounts: false }), 61 * FRAME, 44_100, 2],
    ['with 20 kB of padding after its tag', () => concat(id3v2(100), new Uint8Array(20_000), usual()), 61 * FRAME, 44_100, 2],
    ['with 64 kB of junk in front', () => concat(junk(65_536), usual()), 61 * FRAME, 44_100, 2],
    ['with one byte of junk in front', () => concat(junk(1), usual()), 61 * FRAME, 44_100, 2],
    ['with an APE tag in front', () => concat(ape(true), usual()), 61 * FRAME, 44_100, 2],
    ['with a tag that is longer than it says', () => concat(id3v2(100), junk(500), usual()), 61 * FRAME, 44_100, 2],
    ['with a tag that says it is two frames longer', () => concat(id3v2(2 * 417).subarray(0, 10), usual()), 59 * FRAME, 44_100, 2],
    ['with ID3v1 and APE tags at its end', () => concat(usual(), ape(false), id3v1()), played, 44_100, 2],
  ]);
});

describe('FLAC is taken', () => {
  taken([
    ['without a length', () => silentFlac({ seconds: 3.3, claimedSeconds: 0, blockSize: 4_096 }), 3.3, 48_000, 2],
    [
      'without a length, with more frames than a byte counts',
      () => silentFlac({ seconds: 60, claimedSeconds: 0, blockSize: 192, sampleRate: 8_000 }),
      60,
      8_000,
      2,
    ],
    ['without a length, with a tag at its end', () => concat(silentFlac({ seconds: 2, claimedSeconds: 0, blockSize: 4_096 }), id3v1()), 2, 48_000, 2],
    ['with an ID3v1 tag at its end', () => concat(silentFlac({ seconds: 2, blockSize: 4_096 }), id3v1()), 2, 48_000, 2],
    ['with an APE tag at its end', () => concat(silentFlac({ seconds: 2, blockSize: 4_096 }), ape(true)), 2, 48_000, 2],
    ['with APE and ID3v1 tags at its end', () => concat(silentFlac({ seconds: 2, blockSize: 4_096 }), ape(false), id3v1()), 2, 48_000, 2],
  ]);
});

test('counting the frames of FLAC ends when its time is up', async () => {
  const bytes = silentFlac({ seconds: 1, claimedSeconds: 0 });
  const file = { size: bytes.length, read: async (at: number, length: number) => bytes.subarray(at, at + length) };
  expect([await countFlacSamples(file, 42), await countFlacSamples(file, 42, 0)]).toEqual([48_000, null]);
});

describe('what browsers do not play is refused:', () => {
  const flac = (patch: (view: DataView) => void): Uint8Array => patched(silentFlac({ seconds: 1 }), patch);
  const oggPage = (...packet: readonly Uint8Array[]): Uint8Array => {
    const content = concat(...packet);
    return concat(text('OggS'), Uint8Array.of(0, 2), new Uint8Array(8).fill(1), new Uint8Array(12), Uint8Array.of(1, content.length), content);
  };
  const opusHead = concat(text('OpusHead'), Uint8Array.of(1, 2, 0, 0), new Uint8Array(7));
  refused([
    ['FLAC with blocks of 15 samples', () => flac((view) => view.setUint32(8, (15 << 16) | 15)), 'upload.not-audio'],
    ['FLAC with blocks of at least more than at most', () => flac((view) => view.setUint32(8, (4_096 << 16) | 4_095)), 'upload.not-audio'],
    ['FLAC with samples of one bit', () => flac((view) => view.setUint16(20, view.getUint16(20) & 0xfe0f)), 'upload.not-audio'],
    ['FLAC without a length that does not begin with its first frame', () => silentFlac({ seconds: 1, claimedSeconds: 0 }).subarray(0, 42), 'upload.no-length'],
    ['Opus with its first page only', () => oggPage(opusHead), 'upload.not-audio'],
    ['Opus without comments', () => concat(oggPage(opusHead), oggPage(text('no comments'))), 'upload.not-audio'],
    ['MP3 that turns from mono to stereo', () => concat(silentMp3({ frames: 40, isMono: true }), silentMp3({ frames: 40 })), 'upload.no-copy'],
    ['MP3 that turns from stereo to mono', () => concat(usual(), silentMp3({ frames: 40, isMono: true })), 'upload.no-copy'],
    ['MP3 after more junk than players skip', () => concat(junk(65_537), usual()), 'upload.not-audio'],
  ]);
});

const silentAac = (frames: number, configuration = 1): Uint8Array[] => Array.from({ length: frames }, () => aacFrame({ configuration }));
const inMp4 = (options: Partial<Mp4> & { readonly configuration?: number } = {}): Mp4 => {
  const { sampleRate = 48_000, configuration = 1 } = options;
  const entry = aacEntry(aacConfig(sampleRate, configuration));
  return { frames: silentAac(20, configuration), frameSamples: 1_024, sampleRate, entry, ...options };
};
/** A core with SBR, whose samples count twice. */
const sbrCore = { sampleRate: 22_050, frames: Array.from({ length: 20 }, () => aacFrame({ configuration: 1, hasSbr: true })) };
const explicit = (config: readonly number[]): Mp4 => inMp4({ ...sbrCore, entry: aacEntry(Uint8Array.from(config)) });

describe('AAC is taken, with the channels of its own configuration,', () => {
  const length = (rate: number, frames = 20): number => (frames * 1_024) / rate;
  const rates = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000];
  taken([
    ...rates.map((rate): Taken => [`in an MP4 of ${rate} Hz`, () => mp4(inMp4({ sampleRate: rate })), length(rate), rate, 1]),
    ...rates.map((rate): Taken => [`in ADTS of ${rate} Hz`, () => adts(silentAac(20), { sampleRate: rate, configuration: 1 }), length(rate), rate, 1]),
    ['in stereo', () => mp4(inMp4({ configuration: 2 })), length(48_000), 48_000, 2],
    ['from where its edit starts', () => mp4(inMp4({ sampleRate: 22_050, editFrom: 1_600 })), length(22_050) - 1_600 / 22_050, 22_050, 1],
    ['in a QuickTime file', () => mp4(inMp4({ brand: 'qt  ' })), length(48_000), 48_000, 1],
    ['in a QuickTime file without a type', () => mp4(inMp4({ brand: '' })), length(48_000), 48_000, 1],
    ['in a 3GPP file', () => mp4(inMp4({ brand: '3gp4' })), length(48_000), 48_000, 1],
    ['in an MP4 with video', () => mp4(inMp4({ brand: 'isom', hasVideo: true })), length(48_000), 48_000, 1],
    ['in fragments', () => fragmentedMp4(inMp4()), length(48_000), 48_000, 1],
    ['in fragments, from where the edit starts', () => fragmentedMp4(inMp4({ editFrom: 1_024 })), length(48_000, 19), 48_000, 1],
    ['with an ID3v1 tag behind its last box', () => concat(mp4(inMp4()), id3v1()), length(48_000), 48_000, 1],
    ['with an APE tag behind its last box', () => concat(mp4(inMp4()), ape(true)), length(48_000), 48_000, 1],
    ['with zeros behind its last box', () => concat(mp4(inMp4()), new Uint8Array(100)), length(48_000), 48_000, 1],
    ['with an ID3v1 tag, in ADTS', () => concat(adts(silentAac(20), { sampleRate: 48_000, configuration: 1 }), id3v1()), length(48_000), 48_000, 1],
  ]);
  refused([
    ['but not in QuickTime with video', () => mp4(inMp4({ brand: 'qt  ', hasVideo: true })), 'upload.not-audio'],
    ['nor in 3GPP with video', () => mp4(inMp4({ brand: '3gp5', hasVideo: true })), 'upload.not-audio'],
    ['nor in channels that its decoder does not know', () => mp4(inMp4({ configuration: 12 })), 'upload.no-copy'],
  ]);
});

describe('HE-AAC is read at its full rate and in stereo, as browsers play it,', () => {
  const length = (20 * 1_024) / 22_050;
  test.each<[what: string, make: () => Uint8Array, probed: readonly [rate: number, channels: number]]>([
    ['in ADTS', () => adts(sbrCore.frames, { sampleRate: 22_050, configuration: 1 }), [22_050, 1]],
    ['in an MP4 that does not state it', () => mp4(inMp4(sbrCore)), [22_050, 1]],
    ['in an MP4 that states it', () => mp4(explicit([0x2b, 0x8a, 0x08, 0])), [44_100, 2]],
    ['in an MP4 that states it behind the core', () => mp4(explicit([0x13, 0x88, 0x56, 0xe5, 0xa0])), [44_100, 2]],
    ['in an MP4 that states parametric stereo', () => mp4(explicit([0xeb, 0x8a, 0x08, 0])), [44_100, 2]],
  ])('%s', async (_what, make, [sampleRate, channels]) => {
    const duration = Math.round(length * 1_000) / 1_000;
    const { probe, analysis } = await read(make());
    expect(probe).toMatchObject({ ok: true, duration, sampleRate, channels });
    expect(analysis).toMatchObject({ ok: true, duration, sampleRate: 44_100, channels: 2 });
  });
});

test('ALAC has the rate and the channels of its own configuration', async () => {
  // The sample entry says two channels.
  const bytes = alacFile({ channels: [[1, 2, 3]], sampleRate: 4_000 });
  expect((await read(bytes)).probe).toMatchObject({ ok: true, codec: 'alac', sampleRate: 4_000, channels: 1 });
});
