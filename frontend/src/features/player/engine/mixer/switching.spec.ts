import { expect, test } from '@jest/globals';
import { decibels, Desk, largestJump, noise, rms, signal, sine } from './mixer-fixture';

const SECOND = 48_000;

const levels = (from: Float32Array, to: Float32Array) => {
  const desk = new Desk();
  desk.add('a', from);
  desk.add('b', to);
  desk.send({ type: 'start', trackId: 'a', at: 0 });
  desk.seconds(0.5);
  desk.send({ type: 'crossfade', trackId: 'b' });
  return desk.record(1_280).left;
};

/** Mean level over many crossfades in windows of 5 ms, because noise fluctuates. */
const meanLevels = (pair: (seed: number) => readonly [Float32Array, Float32Array]) => {
  const power = new Float64Array(4);
  for (let seed = 1; seed <= 40; seed++) {
    const output = levels(...pair(seed));
    for (let at = 0; at < 4; at++) power[at] = (power[at] ?? 0) + rms(output.subarray(240 * at, 240 * (at + 1))) ** 2 / 40;
  }
  return [...power].map((value) => 10 * Math.log10(value));
};
const NOISE_LEVEL = 10 * Math.log10(0.25 / 3);

test('a switch of independent mixes keeps the level within 1 dB', () => {
  for (const level of meanLevels((seed) => [noise(SECOND, seed), noise(SECOND, seed + 1_000)])) expect(Math.abs(level - NOISE_LEVEL)).toBeLessThan(1);
});

test('a switch of mixes in partly opposite phase does not get quieter either', () => {
  const pair = (seed: number) => {
    const one = noise(SECOND, seed);
    const other = noise(SECOND, seed + 1_000);
    return [one, signal(SECOND, (at) => 0.917 * (other[at] ?? 0) - 0.4 * (one[at] ?? 0))] as const;
  };
  for (const level of meanLevels(pair)) expect(Math.abs(level - NOISE_LEVEL)).toBeLessThan(1);
});

test('a switch of equal mixes changes nothing', () => {
  const track = noise(SECOND, 7);
  expect(decibels(rms(levels(track, track.slice())) / rms(track.subarray(24_064, 25_344)))).toBeCloseTo(0, 5);
});

test('a switch of mixes with different levels moves from one level to the other without leaving their range', () => {
  const quiet = meanLevels((seed) => [noise(SECOND, seed), noise(SECOND, seed + 1_000, 0.1)]);
  for (const level of quiet) {
    expect(level).toBeLessThan(NOISE_LEVEL + 1);
    expect(level).toBeGreaterThan(NOISE_LEVEL - 15);
  }
});

test('a switch keeps the playhead to the sample and is over in 20 ms', () => {
  const a = noise(SECOND, 1);
  const b = noise(SECOND, 2);
  const output = levels(a, b);
  expect(output.subarray(1_024)).toEqual(b.subarray(24_064 + 1_024, 24_064 + 1_280));
});

test('a switch to a shorter version beyond its end is silent and keeps the playhead, and switching back continues there', () => {
  const desk = new Desk();
  const long = noise(3 * SECOND, 1);
  desk.add('long', long);
  desk.add('short', noise(SECOND, 2));
  desk.send({ type: 'start', trackId: 'long', at: 1.5 });
  desk.record(12_800);
  desk.send({ type: 'crossfade', trackId: 'short' });
  const silence = desk.seconds(0.5).left;
  expect(rms(silence.subarray(1_024))).toBe(0);
  const moment = 1.5 + 12_800 / SECOND;
  expect(desk.last('state')).toMatchObject({ trackId: 'short', hasEnded: true, isPlaying: true, position: moment, rate: 0 });
  desk.send({ type: 'crossfade', trackId: 'long' });
  desk.record(12_800);
  expect(desk.last('state')).toMatchObject({ trackId: 'long', hasEnded: false, rate: 1 });
  expect(desk.last('stopped')).toBeUndefined();
});

test('ten switches within 20 ms end at the last one', () => {
  const desk = new Desk();
  for (let id = 0; id < 10; id++) desk.add(`${id}`, sine(SECOND, 440));
  desk.send({ type: 'start', trackId: '0', at: 0 });
  desk.seconds(0.1);
  for (let id = 0; id < 10; id++) {
    desk.send({ type: 'crossfade', trackId: `${id}` });
    desk.record(128);
  }
  const { left } = desk.seconds(0.2);
  expect(desk.last('state')?.trackId).toBe('9');
  expect(largestJump(left)).toBeLessThan(largestJump(sine(SECOND, 440)) * 1.1);
});
