import { expect, test } from '@jest/globals';
import { Desk, largestJump, noise, rms, sine } from './mixer-fixture';

const SECOND = 48_000;

/** Silence with one sample of 1. */
const clickAt = (frame: number, frames: number): Float32Array => {
  const click = new Float32Array(frames);
  click[frame] = 1;
  return click;
};

test('600 turns of 1.2345678 s do not drift by more than a sample', () => {
  const RATE = 8_000;
  const desk = new Desk(RATE);
  const start = 0.5;
  const length = 1.2345678;
  // The click is 10 ms after the loop's start, after the seam.
  desk.add('a', clickAt(0.51 * RATE, 3 * RATE));
  desk.send({ type: 'setLoop', loop: { start, end: start + length } }, { type: 'start', trackId: 'a', at: start });
  const clicks: number[] = [];
  for (let turn = 0; turn <= 600; turn++) {
    const from = desk.frame;
    const { left } = desk.seconds(length);
    for (let at = 0; at < left.length; at++) if ((left[at] ?? 0) > 0.9) clicks.push(from + at);
  }
  expect(clicks.length).toBeGreaterThan(600);
  clicks.slice(0, 601).forEach((frame, turn) => expect(Math.abs(frame - 0.01 * RATE - turn * length * RATE)).toBeLessThanOrEqual(1));
  expect(desk.last('state')?.turns).toBeGreaterThanOrEqual(600);
});

test.each([
  ['inside the file', 0.3, 0.9],
  ['that ends with the file', 0.3, 1],
  ['of the whole file', 0, 1],
  ['that the page knows as slightly longer than the file', 0, 1.03],
  ['of 20 ms', 0.3, 0.32],
])('a loop %s has no jump above the signal’s own at its seam', (_, start, end) => {
  const desk = new Desk();
  const tone = sine(SECOND, 337.3, { phase: 1 });
  desk.add('a', tone);
  desk.send({ type: 'setLoop', loop: { start, end } }, { type: 'start', trackId: 'a', at: start });
  desk.record(480);
  const { left } = desk.seconds(4);
  expect(largestJump(left)).toBeLessThan(largestJump(tone) * 1.15);
  for (let at = 0; at + 480 <= left.length; at += 480) expect(rms(left.subarray(at, at + 480))).toBeGreaterThan(0.15);
});

test('when the end moves before the playhead, the playhead wraps by whole loop lengths', () => {
  const desk = new Desk();
  const tone = sine(4 * SECOND, 440);
  desk.add('a', tone);
  desk.send({ type: 'setLoop', loop: { start: 0, end: 2 } }, { type: 'start', trackId: 'a', at: 0 });
  desk.record(72_064);
  desk.send({ type: 'setLoop', loop: { start: 0, end: 1 } });
  const { left } = desk.record(1_280);
  expect(largestJump(left)).toBeLessThan(largestJump(tone) * 1.15);
  expect(desk.last('state')?.position).toBeCloseTo((72_064 + 1_280) / SECOND - 1, 1);
});

test('the start and the end can move while it plays', () => {
  const desk = new Desk();
  desk.add('a', sine(4 * SECOND, 440));
  desk.send({ type: 'setLoop', loop: { start: 1, end: 2 } }, { type: 'start', trackId: 'a', at: 1.9 });
  const jumps = [];
  for (let step = 0; step < 50; step++) {
    desk.send({ type: 'setLoop', loop: { start: 1 + step * 0.007, end: 2 - step * 0.009 } });
    const { left } = desk.record(1_280);
    if (step > 0) jumps.push(largestJump(left));
    const position = desk.last('state')?.position ?? 0;
    expect(position).toBeGreaterThanOrEqual(1);
    expect(position).toBeLessThan(2.03);
  }
  expect(Math.max(...jumps)).toBeLessThan(largestJump(sine(SECOND, 440)) * 1.15);
});

test('after a seek beyond the end playback does not loop', () => {
  const desk = new Desk();
  desk.add('a', noise(4 * SECOND, 1));
  desk.send({ type: 'setLoop', loop: { start: 0, end: 1 } }, { type: 'start', trackId: 'a', at: 0 });
  desk.seconds(0.1);
  desk.send({ type: 'seek', at: 2 });
  desk.seconds(0.5);
  expect(desk.last('state')?.position).toBeCloseTo(2.5, 1);
});

test('a switch in a loop stays in the loop, also past the end of a shorter version', () => {
  const desk = new Desk();
  desk.add('long', noise(4 * SECOND, 1));
  desk.add('short', noise(2 * SECOND, 2));
  desk.send({ type: 'setLoop', loop: { start: 1.5, end: 3 } }, { type: 'start', trackId: 'long', at: 1.5 });
  desk.seconds(1);
  desk.send({ type: 'crossfade', trackId: 'short' });
  expect(rms(desk.seconds(0.4).left.subarray(1_024))).toBe(0);
  expect(desk.last('state')).toMatchObject({ hasEnded: true, rate: 1 });
  expect(rms(desk.seconds(0.5).left)).toBeGreaterThan(0.1);
  expect(desk.last('state')).toMatchObject({ hasEnded: false, rate: 1 });
});
