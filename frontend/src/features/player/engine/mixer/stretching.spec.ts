import { describe, expect, test } from '@jest/globals';
import { decibels, Desk, largestJump, noise, rms, sine } from './mixer-fixture';

const RATES = [44_100, 48_000];
const VALUES = [0.5, 0.75, 1, 1.5, 2];
const EXTREMES = [
  [0.05, 0.05],
  [0.05, 2],
  [2, 0.05],
  [2, 2],
] as const;

/** A mixer that plays one mono track at a tempo and a pitch. */
function playing(audio: Float32Array, { tempo = 1, pitch = 1, sampleRate = 48_000, at = 0 }): Desk {
  const desk = new Desk(sampleRate);
  desk.add('a', audio);
  desk.send({ type: 'setTempoAndPitch', tempo, pitch }, { type: 'start', trackId: 'a', at });
  return desk;
}

/** Frequency of a sine, from its rising zero crossings. */
function frequency(samples: Float32Array, sampleRate: number): number {
  const crossings: number[] = [];
  for (let at = 1; at < samples.length; at++) {
    const before = samples[at - 1] ?? 0;
    const after = samples[at] ?? 0;
    if (before < 0 && after >= 0) crossings.push(at - after / (after - before));
  }
  return ((crossings.length - 1) * sampleRate) / ((crossings.at(-1) ?? 0) - (crossings[0] ?? 0));
}

const cents = (ratio: number): number => 1_200 * Math.log2(ratio);

/** Bursts of noise of 60 ms, one every `interval` frames from the first interval on. */
function bursts(frames: number, interval: number): Float32Array {
  const audio = noise(frames, 5);
  for (let at = 0; at < frames; at++) if (at < interval || at % interval > 2_880) audio[at] = 0;
  return audio;
}

/** Where the samples get louder than a quarter of full scale after at least `quiet` frames. */
function onsets(samples: Float32Array, quiet: number): number[] {
  const found: number[] = [];
  let last = -Infinity;
  samples.forEach((sample, at) => {
    if (Math.abs(sample) < 0.2) return;
    if (at - last > quiet) found.push(at);
    last = at;
  });
  return found;
}

describe.each(RATES)('at %i Hz', (sampleRate) => {
  test.each(VALUES)('pitch %f is exact within 5 cents, at the original tempo', (pitch) => {
    const output = playing(sine(4 * sampleRate, 440, { sampleRate }), { pitch, sampleRate })
      .seconds(3)
      .left.subarray(sampleRate / 10);
    expect(Math.abs(cents(frequency(output, sampleRate) / (440 * pitch)))).toBeLessThan(5);
    expect(Math.abs(decibels(rms(output) / rms(sine(sampleRate, 440, { sampleRate }))))).toBeLessThan(0.5);
  });

  test.each(VALUES)('tempo %f keeps the pitch within 5 cents and the length within 0.5 %%', (tempo) => {
    const desk = playing(sine(4 * sampleRate, 440, { sampleRate }), { tempo, sampleRate });
    const output = desk.seconds(0.9 * (4 / tempo)).left.subarray(sampleRate / 10);
    expect(Math.abs(cents(frequency(output, sampleRate) / 440))).toBeLessThan(5);
    while (!desk.last('stopped')) desk.record(128);
    expect(Math.abs(desk.now / (4 / tempo) - 1)).toBeLessThan(0.005);
  });
});

test.each([0.5, 0.75, 1.5, 2])('at tempo %f the reported position is the audible one, within 40 ms', (tempo) => {
  const interval = 24_000;
  const desk = playing(bursts(6 * 48_000, interval), { tempo, pitch: 1.1 });
  const output = onsets(desk.seconds(4.8 / tempo).left, 4_000);
  const states = desk.reports.filter((report) => report.type === 'state');
  expect(output.length).toBe(9);
  for (const frame of output) {
    const time = frame / 48_000;
    const state = states.findLast(({ contextTime }) => contextTime <= time);
    const position = state ? state.position + (time - state.contextTime) * tempo : NaN;
    expect(Math.abs(position - Math.round(position * 2) / 2)).toBeLessThan(0.04);
  }
});

test.each(EXTREMES)('tempo %f at pitch %f plays without invalid samples and in bounded time', (tempo, pitch) => {
  const desk = playing(noise(10 * 48_000, 3), { tempo, pitch });
  const before = performance.now();
  const { left } = desk.seconds(4);
  expect(performance.now() - before).toBeLessThan(8_000);
  expect(left.every((sample) => Math.abs(sample) < 1.5)).toBe(true);
  expect(rms(left.subarray(4_800))).toBeGreaterThan(0.02);
  expect(desk.last('state')?.position).toBeCloseTo(4 * tempo, 0);
});

test('tempo and pitch changed alike play every sample, as tape does', () => {
  const tone = sine(4 * 48_000, 440);
  const output = playing(tone, { tempo: 0.5, pitch: 0.5 }).seconds(2).left.subarray(4_800);
  const slower = sine(2 * 48_000, 220).subarray(4_800);
  expect(largestJump(output.map((sample, at) => sample - (slower[at] ?? 0)))).toBeLessThan(1e-4);
});

test('tempo and pitch can change while it plays without a click', () => {
  const tone = sine(40 * 48_000, 220);
  const desk = playing(tone, {});
  let jump = 0;
  for (let step = 0; step <= 60; step++) {
    const value = 0.5 + Math.abs(((step * 0.05) % 3) - 1.5);
    desk.send({ type: 'setTempoAndPitch', tempo: Number(value.toFixed(2)), pitch: step % 2 === 0 ? 1 : Number((2.5 - value).toFixed(2)) });
    const { left } = desk.record(6_400);
    if (step > 0) jump = Math.max(jump, largestJump(left));
  }
  expect(jump).toBeLessThan(largestJump(tone) * 2 * 1.3);
});

test.each([0.5, 1.5])('a loop at tempo %f repeats at exactly its stretched length', (tempo) => {
  const audio = bursts(4 * 48_000, 48_000);
  const desk = new Desk();
  desk.add('a', audio);
  const loop = { start: 0.9, end: 1.7 };
  desk.send({ type: 'setLoop', loop }, { type: 'setTempoAndPitch', tempo, pitch: 1 }, { type: 'start', trackId: 'a', at: 0.9 });
  const output = onsets(desk.seconds(10 * (0.8 / tempo)).left, 10_000);
  expect(output.length).toBeGreaterThanOrEqual(9);
  const turn = (0.8 / tempo) * 48_000;
  output.forEach((frame, at) => expect(Math.abs(frame - (output[0] ?? 0) - at * turn)).toBeLessThan(0.035 * 48_000));
});

test('a switch while stretched keeps level and playhead', () => {
  const tone = sine(8 * 48_000, 440);
  const desk = playing(tone, { tempo: 0.75, pitch: 1.2 });
  desk.add('b', tone.slice());
  const level = rms(tone);
  const levels = [];
  for (let turn = 0; turn < 20; turn++) {
    desk.send({ type: 'crossfade', trackId: turn % 2 === 0 ? 'b' : 'a' });
    const { left } = desk.record(9_600 + 128 * turn);
    for (let at = 0; at + 960 <= left.length; at += 960) levels.push(decibels(rms(left.subarray(at, at + 960)) / level));
  }
  expect(Math.max(...levels.slice(1).map(Math.abs))).toBeLessThan(1);
  expect(desk.last('state')?.position).toBeCloseTo(desk.now * 0.75, 1);
});
