import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alacFile } from '../testing/alac.js';
import { adtsHeaders, SILENT_MP3_FRAME_BYTES, silentMp3 } from '../testing/mpeg.js';
import { silentFlac } from '../testing/silent-flac.js';
import { silence, sine, wav, type WavSampleFormat } from '../testing/wav.js';
import type { ProbeResult } from './audio-format.js';
import { probeAudio } from './probe.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roughmix-probe-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function probe(bytes: Uint8Array, name = 'upload'): Promise<ProbeResult> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return probeAudio(path, bytes.length);
}

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const concat = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));
const patched = (bytes: Uint8Array, patch: (view: DataView) => void): Uint8Array => {
  const copy = bytes.slice();
  patch(new DataView(copy.buffer));
  return copy;
};
const refused = (code: string) => ({ ok: false, code });
/** An M4A whose track has another type. */
function withCodec(type: string): Uint8Array {
  const bytes = Buffer.from(alacFile({ channels: [[1, 2, 3]] }));
  bytes.write(type, bytes.indexOf('alac'), 'latin1');
  return bytes;
}
const second = (): Uint8Array => wav({ channelData: [sine({ seconds: 1 }), silence(1)] });

describe('WAV', () => {
  test.each([
    ['pcm8', 'pcm_u8'],
    ['pcm16', 'pcm_s16le'],
    ['pcm24', 'pcm_s24le'],
    ['pcm32', 'pcm_s32le'],
    ['float32', 'pcm_f32le'],
    ['float64', 'pcm_f64le'],
  ] as [WavSampleFormat, string][])('of %s is %s', async (format, codec) => {
    expect(await probe(wav({ channelData: [silence(1.25, 44_100)], sampleRate: 44_100, format }))).toEqual({
      ok: true,
      container: 'wave',
      codec,
      duration: 1.25,
      sampleRate: 44_100,
      channels: 1,
      contentType: 'audio/wav',
    });
  });

  test('is recognised under any file name', async () => expect(await probe(second(), 'song.mp3')).toMatchObject({ ok: true, codec: 'pcm_s16le', channels: 2 }));

  test('may have chunks of odd length before its samples', async () => {
    const plain = second();
    const odd = concat(plain.subarray(0, 36), text('LIST'), Uint8Array.of(3, 0, 0, 0, 1, 2, 3, 0), plain.subarray(36));
    const whole = patched(odd, (view) => view.setUint32(4, odd.length - 8, true));
    expect(await probe(whole)).toMatchObject({ ok: true, duration: 1 });
  });

  test('that its recorder never closed extends to the end of the file', async () => {
    const unclosed = patched(second(), (view) => {
      view.setUint32(4, 0, true);
      view.setUint32(40, 0, true);
    });
    expect(await probe(unclosed)).toMatchObject({ ok: true, duration: 1 });
  });

  test.each([
    ['whose samples end early', () => second().subarray(0, 100_000)],
    ['whose data claims 4 GB', () => patched(second(), (view) => view.setUint32(40, 0xffffffff, true))],
    ['whose file claims 4 GB', () => patched(second(), (view) => view.setUint32(4, 0xfffffff0, true))],
  ])('%s is damaged', async (_what, make) => expect(await probe(make())).toEqual(refused('upload.damaged')));

  test.each([
    ['without samples', () => wav({ channelData: [silence(0)] })],
    ['that ends after its signature', () => patched(second().slice(0, 12), (view) => view.setUint32(4, 4, true))],
    ['of 1,000 channels', () => patched(second(), (view) => (view.setUint16(22, 1_000, true), view.setUint16(32, 2_000, true)))],
    ['of 1 Hz', () => patched(second(), (view) => view.setUint32(24, 1, true))],
    ['of 0 Hz', () => patched(second(), (view) => view.setUint32(24, 0, true))],
  ])('%s is not audio', async (_what, make) => expect(await probe(make())).toEqual(refused('upload.not-audio')));
});

test.each<[what: string, bytes: Uint8Array]>([
  ['WAV with ADPCM', patched(second(), (view) => view.setUint16(20, 2, true))],
  ['WAV of 12 bits', patched(second(), (view) => view.setUint16(34, 12, true))],
  ['M4A with AC-3', withCodec('ac-3')],
  ['M4A with PCM', withCodec('sowt')],
  ['WavPack', text('wvpk\x20\0\0\0\x10\x04\0\0')],
  ['Windows Media', Uint8Array.of(0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11)],
  ['Core Audio', text('caff\0\x01\0\0desc')],
  ['MPEG layer II', Uint8Array.of(0xff, 0xfd, 0xa4, 0x04, 0, 0, 0, 0)],
])('%s is audio that browsers do not play and the server does not copy', async (_what, bytes) => {
  expect(await probe(bytes)).toEqual(refused('upload.no-copy'));
});

test('ALAC in M4A is recognised', async () => {
  expect(
    await probe(
      alacFile({
        channels: [
          [1, 2, 3],
          [4, 5, 6],
        ],
        sampleRate: 4_000,
      }),
    ),
  ).toEqual({
    ok: true,
    container: 'mp4',
    codec: 'alac',
    contentType: 'audio/mp4',
    duration: 0.001,
    sampleRate: 4_000,
    channels: 2,
  });
});

describe('MP3', () => {
  const seconds = (frames: number): number => Math.round(((frames * 1_152) / 44_100) * 1_000) / 1_000;

  test('without an Info header is as long as its frames', async () => {
    expect(await probe(silentMp3({ frames: 100 }))).toEqual({
      ok: true,
      container: 'mpeg',
      codec: 'mp3',
      duration: seconds(100),
      sampleRate: 44_100,
      channels: 2,
      contentType: 'audio/mpeg',
    });
  });

  test('may begin with a tag and end with one', async () => {
    const tagged = concat(silentMp3({ frames: 50, tagBytes: 30_000 }), text('TAG'), new Uint8Array(125));
    expect(await probe(tagged)).toMatchObject({ ok: true, codec: 'mp3', duration: seconds(50) });
  });

  test('is as long as its Info header says', async () => {
    const info = { frames: 80, bytes: 81 * SILENT_MP3_FRAME_BYTES };
    expect(await probe(silentMp3({ frames: 80, info }))).toMatchObject({ ok: true, duration: seconds(80) });
  });

  test.each([
    ['fewer bytes', { frames: 200, bytes: 201 * SILENT_MP3_FRAME_BYTES }],
    ['fewer frames', { frames: 200 }],
  ])('with %s than its Info header says is damaged', async (_what, info) => {
    expect(await probe(silentMp3({ frames: 80, info }))).toEqual(refused('upload.damaged'));
  });

  test('whose tag is longer than the file is damaged', async () => {
    expect(await probe(silentMp3({ frames: 1, tagBytes: 30_000 }).subarray(0, 20_000))).toEqual(refused('upload.damaged'));
  });
});

test('AAC in ADTS is as long as its frames', async () => {
  expect(await probe(adtsHeaders(94))).toMatchObject({
    ok: true,
    container: 'adts',
    codec: 'aac',
    contentType: 'audio/aac',
    duration: 2.005,
    sampleRate: 48_000,
  });
});

describe('FLAC', () => {
  test('is as long as its header says', async () => {
    const flac = silentFlac({ seconds: 1, claimedSeconds: 12.5, sampleRate: 44_100 });
    expect(await probe(flac)).toMatchObject({ ok: true, codec: 'flac', contentType: 'audio/flac', duration: 12.5, sampleRate: 44_100, channels: 2 });
  });

  test('that does not state its length is refused', async () => {
    expect(await probe(silentFlac({ seconds: 100, claimedSeconds: 0 }))).toEqual(refused('upload.no-length'));
  });

  test('of two hours is accepted, a longer one is not', async () => {
    expect(await probe(silentFlac({ seconds: 1, claimedSeconds: 7_200 }))).toMatchObject({ ok: true, duration: 7_200 });
    expect(await probe(silentFlac({ seconds: 1, claimedSeconds: 7_200.001 }))).toEqual(refused('upload.too-long'));
  });

  test('that ends within its header is not audio, within its tags damaged', async () => {
    const flac = silentFlac({ seconds: 1 });
    expect(await probe(flac.subarray(0, 30))).toEqual(refused('upload.not-audio'));
    const withTags = concat(patched(flac, (view) => view.setUint8(4, 0)).subarray(0, 42), Uint8Array.of(0x84, 1, 0, 0), new Uint8Array(20));
    expect(await probe(withTags)).toEqual(refused('upload.damaged'));
  });
});

test('an Ogg stream whose last page does not state its length is refused', async () => {
  const page = concat(text('OggS'), Uint8Array.of(0, 2), new Uint8Array(20), Uint8Array.of(1, 19));
  const opus = concat(text('OpusHead'), Uint8Array.of(1, 2, 0, 0), new Uint8Array(7));
  expect(await probe(concat(page, opus))).toEqual(refused('upload.no-length'));
});

describe('a file that is not audio is refused', () => {
  test.each([
    ['text', text('this is a text file, not a song\n')],
    ['a playlist', text('#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n')],
    ['zeros', new Uint8Array(64)],
    ['many zeros', new Uint8Array(100_000)],
    ['one byte', Uint8Array.of(0xff)],
    ['a few bytes of a frame', Uint8Array.of(0xff, 0xfb, 0x90, 0x04, 0, 0)],
    ['only a tag', silentMp3({ frames: 0, tagBytes: 100 })],
    ['an AVI video', concat(text('RIFF'), Uint8Array.of(4, 0, 0, 0), text('AVI '))],
    ['an empty Ogg page', concat(text('OggS'), new Uint8Array(60))],
    ['an MP4 without tracks', concat(Uint8Array.of(0, 0, 0, 8), text('ftyp'), Uint8Array.of(0, 0, 0, 8), text('moov'))],
    ['HTML', text('<!doctype html><audio src="x.mp3"></audio>')],
  ])('%s', async (_what, bytes) => expect(await probe(bytes)).toEqual(refused('upload.not-audio')));

  test('an empty file', async () => expect(await probe(new Uint8Array(0), 'empty.wav')).toEqual(refused('upload.empty')));

  test.each(['AIFF', 'AIFC'])('%s, under any name', async (form) => {
    expect(await probe(concat(text('FORM'), Uint8Array.of(0, 0, 0, 4), text(form)), 'song.wav')).toEqual(refused('upload.aiff'));
  });

  test('an MP4 that ends in its samples is damaged', async () => {
    const cut = concat(Uint8Array.of(0, 0, 0, 8), text('ftyp'), Uint8Array.of(0, 0, 0x10, 0), text('mdat'), new Uint8Array(100));
    expect(await probe(cut)).toEqual(refused('upload.damaged'));
  });
});

test('a missing file throws an error instead of being refused as audio', async () => {
  await expect(probeAudio(join(folder, 'nowhere'), 10)).rejects.toMatchObject({ code: 'ENOENT' });
});
