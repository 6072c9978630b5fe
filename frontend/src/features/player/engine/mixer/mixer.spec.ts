import { expect, test } from '@jest/globals';
import { Desk, largestJump, noise, rms, signal, sine } from './mixer-fixture';

const SECOND = 48_000;

test('plays each sample once, after a fade of 5 ms', () => {
  const desk = new Desk();
  const left = noise(SECOND, 1);
  const right = noise(SECOND, 2);
  desk.add('a', left, right);
  desk.send({ type: 'start', trackId: 'a', at: 0.25 });
  const output = desk.record(12_800);
  expect(output.left.subarray(240)).toEqual(left.subarray(12_240, 24_800));
  expect(output.right.subarray(240)).toEqual(right.subarray(12_240, 24_800));
  expect(Math.abs(output.left[0] ?? 1)).toBeLessThan(0.01);
});

test('reports when the position leaves the mixer, on every change and every 50 ms', () => {
  const desk = new Desk();
  desk.add('a', noise(2 * SECOND, 1));
  desk.send({ type: 'start', trackId: 'a', at: 0.5 });
  desk.seconds(1);
  const states = desk.reports.filter((report) => report.type === 'state');
  expect(states.length).toBeGreaterThan(18);
  expect(states.length).toBeLessThan(24);
  for (const { contextTime, position, rate, source } of states) {
    expect(position - contextTime).toBeCloseTo(0.5, 9);
    expect({ rate, source }).toEqual({ rate: 1, source: 'buffer' });
  }
});

test('a pause fades out without a click and keeps the playhead', () => {
  const desk = new Desk();
  const tone = sine(2 * SECOND, 440);
  desk.add('a', tone);
  desk.send({ type: 'start', trackId: 'a', at: 0 });
  const before = desk.record(12_800);
  desk.send({ type: 'stop' });
  const after = desk.record(1_280);
  expect(largestJump(Float32Array.from([...before.left, ...after.left]))).toBeLessThan(largestJump(tone) * 1.1);
  expect(rms(after.left.subarray(384))).toBe(0);
  expect(desk.last('stopped')).toEqual({ type: 'stopped', contextTime: expect.any(Number), reason: 'stop', trackId: 'a', position: 12_800 / SECOND });
  expect(desk.last('state')?.isPlaying).toBe(false);
});

test('a seek crossfades to the new place', () => {
  const desk = new Desk();
  const tone = sine(4 * SECOND, 440);
  desk.add('a', tone);
  desk.send({ type: 'start', trackId: 'a', at: 0 });
  const before = desk.record(12_800);
  desk.send({ type: 'seek', at: 2.0003 });
  const after = desk.record(12_800);
  expect(largestJump(Float32Array.from([...before.left, ...after.left]))).toBeLessThan(largestJump(tone) * 1.1);
  expect(after.left.subarray(256)).toEqual(tone.subarray(Math.round(2.0003 * SECOND) + 256, Math.round(2.0003 * SECOND) + 12_800));
});

test('stops at the end of the audio and at the end of a span', () => {
  const desk = new Desk();
  desk.add('a', noise(SECOND, 1));
  desk.send({ type: 'start', trackId: 'a', at: 0.9 });
  desk.seconds(0.2);
  expect(desk.last('stopped')).toEqual({ type: 'stopped', contextTime: expect.any(Number), reason: 'end', trackId: 'a', position: 1 });
  desk.send({ type: 'start', trackId: 'a', at: 0.5 }, { type: 'stopAt', at: 0.6 });
  desk.seconds(0.2);
  expect(desk.last('stopped')).toEqual({ type: 'stopped', contextTime: expect.any(Number), reason: 'stopAt', trackId: 'a', position: 0.6 });
});

test('playing again during the fade-out of a pause continues without reporting a stop', () => {
  const desk = new Desk();
  desk.add('a', noise(SECOND, 1));
  desk.send({ type: 'start', trackId: 'a', at: 0 });
  desk.seconds(0.1);
  desk.send({ type: 'stop' });
  desk.record(128);
  desk.send({ type: 'start', trackId: 'a', at: 0.5 });
  expect(rms(desk.seconds(0.1).left.subarray(1_280))).toBeGreaterThan(0.2);
  expect(desk.last('stopped')).toBeUndefined();
});

test('dropping the playing track silences it and frees its audio', () => {
  const desk = new Desk();
  desk.add('a', noise(SECOND, 1));
  desk.send({ type: 'start', trackId: 'a', at: 0 });
  desk.seconds(0.1);
  desk.send({ type: 'dropTrack', trackId: 'a' });
  expect(rms(desk.seconds(0.1).left.subarray(384))).toBe(0);
  expect(desk.last('stopped')?.reason).toBe('dropped');
  desk.send({ type: 'start', trackId: 'a', at: 0 });
  desk.record(128);
  expect(desk.last('state')?.isPlaying).toBe(false);
});

test('gains ramp', () => {
  const desk = new Desk();
  desk.add(
    'a',
    signal(SECOND, () => 0.5),
  );
  desk.send({ type: 'start', trackId: 'a', at: 0 });
  desk.seconds(0.1);
  desk.send({ type: 'setGain', trackId: 'a', gain: 0.5 });
  const { left } = desk.seconds(0.1);
  expect(largestJump(left)).toBeLessThan(0.001);
  expect(left.at(-1)).toBeCloseTo(0.25, 6);
});
