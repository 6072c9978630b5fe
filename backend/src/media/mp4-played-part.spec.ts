import { describe, expect, test } from '@jest/globals';
import { text } from '../testing/bytes.js';
import { box, u32 } from '../testing/mp4.js';
import { playedPart } from './mp4-played-part.js';

const RATE = 48_000;

interface Track {
  /** Samples of the media. */
  readonly media?: number;
  /** Duration in ms, and the sample at which it starts. */
  readonly edits?: readonly (readonly [duration: number, start: number])[];
  readonly handler?: string;
}

const track = ({ media = 10 * RATE + 1_024, edits, handler = 'soun' }: Track): Uint8Array =>
  box(
    'trak',
    ...(edits ? [box('edts', box('elst', u32(0, edits.length, ...edits.flatMap(([duration, start]) => [duration, start, 0x10000]))))] : []),
    box('mdia', box('mdhd', u32(0, 0, 0, RATE, media, 0)), box('hdlr', u32(0, 0), text(handler), u32(0, 0, 0))),
  );
const moov = (...tracks: readonly Uint8Array[]): Uint8Array => box('moov', box('mvhd', u32(0, 0, 0, 1_000, 10_000)), ...tracks);
const TAG = ' 00000000 00000840 00000200 0000000000075000 00000000 00000000';

describe('the part of an MP4 that players play', () => {
  test.each<[what: string, track: Track, tag: string | null, part: object | null]>([
    ['is its edit, up to the end of the media', { edits: [[10_000, 1_024]] }, null, { start: 1_024 / RATE, length: 10 }],
    ['may end before the media, to within a millisecond', { edits: [[9_000, 1_024]] }, null, { start: 1_024 / RATE, length: 9.001 }],
    ['is the rest after the start if the edit leaves its length open', { edits: [[0, 1_024]] }, null, { start: 1_024 / RATE, length: 10 }],
    [
      'does not begin with the pause of an empty edit',
      {
        edits: [
          [500, -1],
          [10_000, 1_024],
        ],
      },
      null,
      { start: 1_024 / RATE, length: 10 },
    ],
    ["is what iTunes' tag says without an edit", {}, TAG, { start: 2_112 / RATE, length: 0x75000 / RATE }],
    ['is the edit if both exist', { edits: [[10_000, 1_024]] }, TAG, { start: 1_024 / RATE, length: 10 }],
    ['is everything if neither exists', {}, null, { start: 0, length: 10 + 1_024 / RATE }],
    ['is everything if the tag is broken', {}, ' 0 zz', { start: 0, length: 10 + 1_024 / RATE }],
    [
      'is unknown if several edits cut it up',
      {
        edits: [
          [1_000, 0],
          [1_000, 96_000],
        ],
      },
      null,
      null,
    ],
    ['is everything in a fragmented file', { media: 0 }, null, { start: 0, length: null }],
    ['starts with the edit in a fragmented file', { media: 0, edits: [[0, 1_024]] }, null, { start: 1_024 / RATE, length: null }],
    ['is unknown without an audio track', { handler: 'vide' }, null, null],
  ])('%s', (_what, options, tag, part) => {
    expect(playedPart(moov(track({ handler: 'vide', media: 5 }), track(options)), tag, RATE)).toEqual(part);
  });

  test('of a truncated index is found or unknown, without an error', () => {
    const whole = moov(track({ edits: [[10_000, 1_024]] }));
    for (let length = 8; length < whole.length - 40; length++) expect(() => playedPart(whole.subarray(0, length), null, RATE)).not.toThrow();
  });
});
