import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { demoSongs } from './demo-songs.js';
import type { StereoPcm } from './dsp/pcm.js';
import { loudnessOf } from './effects/loudness.js';
import { renderSong } from './render-song.js';
import { encodeWav16 } from './wav.js';

/** Timeout for rendering on a busy machine. */
const patience = 4 * 60_000;

/** Seconds that cover intro and verse of each song, because rendering every version completely takes too long here. */
const opening = 18;

const { abs, max } = Math;
const { isFinite } = Number;

type Measured = { seconds: number; peak: number; loudness: number; finite: boolean };

const measure = (pcm: StereoPcm): Measured => {
  const samples = [pcm.left, pcm.right];
  return {
    seconds: pcm.left.length / pcm.sampleRate,
    peak: Math.max(...samples.map((channel) => channel.reduce((top, value) => max(top, abs(value)), 0))),
    finite: samples.every((channel) => channel.every(isFinite)),
    loudness: loudnessOf(pcm),
  };
};

const hashOf = (file: Buffer): string => createHash('sha256').update(file).digest('hex');

describe.each(demoSongs)('$title', ({ name, duration, sections, moments, mixes }) => {
  test('has consecutive sections that end before the sound does', () => {
    expect(sections[0]?.start).toBe(0);
    for (const [index, section] of sections.entries()) expect(section.start).toBe(sections[index - 1]?.end ?? 0);
    expect(sections.at(-1)?.end).toBeLessThan(duration);
  });

  test('has moments within its duration, long enough for a region each', () => {
    for (const { start, end } of moments) {
      expect(start).toBeGreaterThanOrEqual(0);
      expect(end - start).toBeGreaterThan(1);
      expect(end).toBeLessThanOrEqual(duration);
    }
  });

  test(
    'has three versions without clipping, each clearly louder than the previous one',
    () => {
      const versions = mixes.map((mix) => measure(renderSong(name, mix.name, opening)));
      for (const { peak, finite } of versions) {
        expect(finite).toBe(true);
        expect(peak).toBeLessThanOrEqual(0.795);
        expect(peak).toBeGreaterThan(0.3);
      }
      const [demo = 0, second = 0, loud = 0] = versions.map((version) => version.loudness);
      expect(second - demo).toBeGreaterThan(3);
      expect(loud - second).toBeGreaterThan(3);
    },
    patience,
  );
});

test(
  'a whole song has its stated duration and is smaller than 14 MB',
  () => {
    for (const { duration } of demoSongs) expect(44 + duration * 44_100 * 4).toBeLessThan(14_000_000);
    const pcm = renderSong('nine-volt', '2.0');
    const { seconds, peak, finite } = measure(pcm);
    expect(seconds).toBeCloseTo(demoSongs.find(({ name }) => name === 'nine-volt')?.duration ?? 0, 3);
    expect([finite, peak <= 0.795, encodeWav16(pcm).length < 14_000_000]).toEqual([true, true, true]);
  },
  patience,
);

test(
  'rendering is deterministic to the last bit, and versions differ',
  () => {
    const [once, again, other] = [renderSong('low-tide', '1.0', 10), renderSong('low-tide', '1.0', 10), renderSong('low-tide', '1.1', 10)];
    const [first, second, third] = [once, again, other].map((pcm) => hashOf(encodeWav16(pcm)));
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  },
  patience,
);
