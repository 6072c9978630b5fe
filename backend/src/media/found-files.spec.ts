import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { analyseAudio } from './analyse.js';
import { probeAudio } from './probe.js';

/** Files that were once read wrongly, by real encoders. What they have in common is in taken-files.spec.ts, with files made for it. */
const FOUND = fileURLToPath(new URL('../../../../shared/audio/found/', import.meta.url));
const LENGTH_SECONDS = 0.005;
const LOUDNESS = 0.1;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roughmix-found-'));
});
afterAll(() => rm(folder, { recursive: true }));

(existsSync(FOUND) ? describe : describe.skip)('files that were found (needs ../shared/audio/found)', () => {
  test.each([
    { name: 'aac.mov', seconds: 4, channels: 2, loudness: -12.7 },
    { name: 'adts-22050.aac', seconds: 3.065, channels: 1, loudness: -17.9 },
    { name: 'alac-51-lfe-only.m4a', seconds: 3, channels: 6, loudness: null },
    { name: 'alac.m4a', seconds: 1, channels: 2, loudness: -12.6 },
    { name: 'flac-id3v1-end.flac', seconds: 1, channels: 2, loudness: -12.6 },
    { name: 'm4a-mono-click.m4a', seconds: 3, channels: 1, loudness: -18 },
    { name: 'm4a-mono.m4a', seconds: 4, channels: 1, loudness: -15.7 },
    { name: 'm4a-trailing-id3v1.m4a', seconds: 4, channels: 2, loudness: -12.7 },
    { name: 'mp3-leading-junk.mp3', seconds: 4.056, channels: 2, loudness: -12.7 },
    { name: 'mp3-padding-after-id3.mp3', seconds: 4.056, channels: 2, loudness: -12.7 },
    { name: 'mp3-xing-0-frames.mp3', seconds: 4.009, channels: 2, loudness: -12.7 },
    { name: 'wav-data-0-riff-36.wav', seconds: 0.5, channels: 2, loudness: -12.9 },
    { name: 'wav-data-0-riff-4088.wav', seconds: 0.5, channels: 2, loudness: -12.9 },
    { name: 'wav-float64.wav', seconds: 0.5, channels: 2, loudness: -12.9 },
    { name: 'wav-riff-8-too-large.wav', seconds: 0.5, channels: 2, loudness: -12.9 },
    { name: 'wav-sizes-7fffffff.wav', seconds: 0.5, channels: 2, loudness: -12.9 },
    { name: 'wav-sizes-ffffffff.wav', seconds: 0.5, channels: 2, loudness: -12.9 },
  ])('$name is $seconds s long, with $channels channels of $loudness LUFS', async ({ name, seconds, channels, loudness }) => {
    const path = join(FOUND, name);
    const probe = await probeAudio(path, (await stat(path)).size);
    expect(probe).toMatchObject({ ok: true, channels });
    const analysis = await analyseAudio(path, { outFolder: folder, duration: seconds });
    expect(analysis).toMatchObject({ ok: true, channels });
    if (!probe.ok || !analysis.ok) return;
    expect(Math.abs(probe.duration - seconds)).toBeLessThan(LENGTH_SECONDS);
    expect(Math.abs(analysis.duration - seconds)).toBeLessThan(LENGTH_SECONDS);
    expect(analysis.loudness === null).toBe(loudness === null);
    expect(Math.abs((analysis.loudness ?? 0) - (loudness ?? 0))).toBeLessThan(LOUDNESS);
  });
});
