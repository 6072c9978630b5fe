import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodePeaks } from '@roughmix/contracts/media/peaks.js';
import { FairQueue } from '../platform/fair-queue.js';
import { silentMp3 } from '../testing/mpeg.js';
import { silentFlac } from '../testing/silent-flac.js';
import { silence, sine, wav } from '../testing/wav.js';
import type { AnalysisResult } from './audio-format.js';
import { startChild } from '../platform/children/limited-child.js';
import { startAudioProcess } from './audio-process.js';
import { createAudioWorker, type AudioWorker } from './audio-worker.js';

let folder = '';
let worker: AudioWorker;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roughmix-worker-'));
  worker = createAudioWorker();
});
afterAll(async () => {
  await worker.close();
  await rm(folder, { recursive: true });
});

async function stored(bytes: Uint8Array, name = 'upload'): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

async function analyse(path: string, by: AudioWorker = worker): Promise<AnalysisResult> {
  const outFolder = join(folder, 'peaks');
  await rm(outFolder, { recursive: true, force: true });
  await mkdir(outFolder);
  const probe = await worker.probe(path, (await stat(path)).size);
  return by.analyse(path, { outFolder, duration: probe.ok ? probe.duration : 0 });
}

const damaged = { ok: false, code: 'upload.damaged' };

describe('an analysis', () => {
  test('measures a file and writes its peaks, the coarsest level first', async () => {
    const left = sine({ seconds: 12, amplitude: 0.1 });
    const path = await stored(wav({ channelData: [left, left], format: 'pcm24' }));
    const result = await analyse(path);
    expect(result).toMatchObject({ ok: true, duration: 12, sampleRate: 48_000, channels: 2, codec: 'pcm_s24le', levels: 2 });
    if (!result.ok) return;
    expect(result.loudness).toBeCloseTo(-20, 1);
    expect(result.truePeak).toBeCloseTo(-20, 1);
    const levels = await Promise.all(result.files.map(async (file) => decodePeaks(await readFile(file))));
    expect(levels.map(({ channels, samplesPerColumn, columns }) => [channels, samplesPerColumn, columns])).toEqual([
      [2, 1_024, 563],
      [2, 256, 2_250],
    ]);
    expect([...(levels[0]?.values.subarray(0, 6) ?? [])]).toEqual([-13, 13, 9, -13, 13, 9]);
  });

  test('of silence has no loudness and no peak', async () => {
    const path = await stored(wav({ channelData: [silence(2)] }));
    expect(await analyse(path)).toMatchObject({ ok: true, duration: 2, channels: 1, loudness: null, truePeak: null, levels: 1 });
  });

  test('treats NaN and infinite samples as silence', async () => {
    const samples = sine({ seconds: 2, amplitude: 0.1 });
    samples.set([Number.NaN, Infinity, -Infinity], 1_000);
    const result = await analyse(await stored(wav({ channelData: [samples], format: 'float32' })));
    expect(result).toMatchObject({ ok: true, codec: 'pcm_f32le' });
    expect(result.ok && result.loudness).toBeCloseTo(-23, 0);
  });

  test('of a stereo file stays stereo where both channels are equal', async () => {
    expect(await analyse(await stored(silentMp3({ frames: 200 })))).toMatchObject({ ok: true, channels: 2, codec: 'mp3', sampleRate: 44_100 });
  });

  test('of two silent hours in a few kB keeps only a few minutes in memory', async () => {
    const bytes = silentFlac({ seconds: 7_200, channels: 1, sampleRate: 8_000 });
    expect(bytes.length).toBeLessThan(100_000);
    // The decoded samples alone, of four bytes each, would use up the limit.
    const narrow = createAudioWorker({ memoryBytes: 7_200 * 8_000 * 4 });
    expect(await analyse(await stored(bytes), narrow)).toMatchObject({ ok: true, duration: 7_200, loudness: null, levels: 5 });
    await narrow.close();
  });
});

describe('a file is rejected', () => {
  test('when it decodes more than half a second shorter than its header claims', async () => {
    expect(await analyse(await stored(silentFlac({ seconds: 10, claimedSeconds: 10.6 })))).toEqual(damaged);
    expect(await analyse(await stored(silentFlac({ seconds: 10, claimedSeconds: 10.4 })))).toMatchObject({ ok: true, duration: 10 });
  });

  test('when it decodes to more than two hours, whatever its header claims', async () => {
    expect(await analyse(await stored(silentFlac({ seconds: 7_201, claimedSeconds: 60, sampleRate: 8_000, channels: 1 })))).toEqual({
      ok: false,
      code: 'upload.too-long',
    });
  });

  test.each([
    ['when it states more samples than two hours of stereo at 384 kHz', { channels: 3, code: 'upload.too-long' }],
    ['for its missing samples when it states as many', { channels: 2, code: 'upload.damaged' }],
  ])('%s', async (_what, { channels, code }) => {
    expect(await analyse(await stored(claiming({ seconds: 7_200, sampleRate: 384_000, channels })))).toEqual({ ok: false, code });
  });

  test('when no audio follows its header', async () => {
    const bytes = silentFlac({ seconds: 1 });
    bytes.fill(0, 42);
    expect(await analyse(await stored(bytes))).toEqual({ ok: false, code: 'upload.not-audio' });
  });

  test('when it exceeds the memory limit', async () => {
    const narrow = createAudioWorker({ memoryBytes: 20_000_000 });
    const path = await stored(silentFlac({ seconds: 3_600 }));
    expect(await analyse(path, narrow)).toEqual(damaged);
    await narrow.close();
  });

  test('when its probe exceeds the time limit, while another file is probed', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const hasty = createAudioWorker({ probeMilliseconds: 1_000 });
    const slow = hasty.turns.probe.run('ana', () => hasty.probe(pipe, 1_000));
    const path = await stored(wav({ channelData: [silence(1)] }));
    const quick = hasty.turns.probe.run('bob', () => hasty.probe(path, 100_000));
    expect(await Promise.race([slow, quick])).toMatchObject({ ok: true, duration: 1 });
    expect(await slow).toEqual(damaged);
    await hasty.close();
  });

  test('when it exceeds the time limit', async () => {
    const hasty = createAudioWorker({ analysisMilliseconds: -359_000 });
    const path = await stored(silentFlac({ seconds: 3_600 }));
    expect(await analyse(path, hasty)).toEqual(damaged);
    await hasty.close();
  });
});

describe('an error of the program itself is thrown', () => {
  test('for a missing file', async () => {
    await expect(worker.probe(join(folder, 'nowhere'), 10)).rejects.toThrow('ENOENT');
    await expect(worker.analyse(join(folder, 'nowhere'), { outFolder: folder, duration: 1 })).rejects.toThrow('ENOENT');
  });

  test('for a missing folder', async () => {
    const path = await stored(wav({ channelData: [silence(1)] }));
    await expect(worker.analyse(path, { outFolder: join(folder, 'nowhere'), duration: 1 })).rejects.toThrow('ENOENT');
  });

  test('by a closed worker', async () => {
    const closed = createAudioWorker();
    await closed.close();
    await expect(closed.probe('any', 1)).rejects.toThrow('closed');
  });

  test('when the worker is closed during an analysis', async () => {
    const closing = createAudioWorker();
    const running = analyse(await stored(silentFlac({ seconds: 7_200 })), closing).catch((error: Error) => error.message);
    await worker.probe(await stored(wav({ channelData: [silence(1)] }), 'other'), 1_000);
    await closing.close();
    expect(await running).toBe('the audio worker is closed');
  });
});

test('an aborted analysis ends together with its process, and the next one runs', async () => {
  const path = await stored(silentFlac({ seconds: 7_200 }));
  const stop = new AbortController();
  const options = { outFolder: join(folder, 'peaks'), duration: 7_200 };
  const running = worker.analyse(path, options, stop.signal);
  const waiting = worker.analyse(path, options, stop.signal);
  stop.abort(new Error('shutting down'));
  await expect(running).rejects.toThrow('shutting down');
  await expect(waiting).rejects.toThrow('shutting down');
  expect(await analyse(await stored(wav({ channelData: [silence(1)] })))).toMatchObject({ ok: true });
});

test('a process reads the file of its request, and no other', async () => {
  const [mine, other] = [await stored(silentFlac({ seconds: 1 })), await stored(silentFlac({ seconds: 2 }), 'other')];
  const requestOf = (path: string) => ({ kind: 'probe', path, size: 100_000 }) as const;
  const child = startAudioProcess(startChild, requestOf(mine), 1e9);
  expect(await child.run(requestOf(mine), 60_000)).toMatchObject({ kind: 'probed', result: { ok: true, duration: 1 } });
  const restricted = { kind: 'failed', message: expect.stringContaining('restricted') as unknown };
  expect(await child.run(requestOf(other), 60_000)).toEqual(restricted);
  expect(await child.run({ kind: 'analyse', path: mine, outFolder: folder, duration: 1 }, 60_000)).toEqual(restricted);
  await child.kill();
});

test('many concurrent probes are all answered', async () => {
  const path = await stored(wav({ channelData: [silence(1)] }));
  const { size } = await stat(path);
  const queue = new FairQueue({ running: 2 });
  const results = await Promise.all(Array.from({ length: 10 }, () => queue.run('ana', () => worker.probe(path, size))));
  expect(results.map((result) => result.ok && result.duration)).toEqual(Array.from({ length: 10 }, () => 1));
});

/** A FLAC file of silence whose header claims more than the file holds. */
function claiming({ seconds, sampleRate, channels }: { readonly seconds: number; readonly sampleRate: number; readonly channels: number }): Uint8Array {
  const bytes = silentFlac({ seconds: 1, claimedSeconds: (seconds * sampleRate) / 48_000, channels });
  new DataView(bytes.buffer).setUint32(18, ((sampleRate << 12) | ((channels - 1) << 9) | (15 << 4)) >>> 0);
  return bytes;
}
