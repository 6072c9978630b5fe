import { expect, test } from '@jest/globals';
import { decibels, Desk, largestJump, noise, rms, signal, sine } from './mixer-fixture';

const SECOND = 48_000;

/** A stand-in for music: tones of changing pitch and noise, never periodic. */
function song(frames: number): Float32Array {
  const hiss = noise(frames, 9, 0.05);
  return signal(frames, (at) => 0.3 * Math.sin((at / 40) * (1 + at / frames)) + 0.2 * Math.sin(at / (17 + (at % 9_000) / 900)) + (hiss[at] ?? 0));
}

/** Reads a track at a fraction of a frame and a gain, as a media element with another decoder and resampler would. */
const resampled = (track: Float32Array, from: number, gain: number): Float32Array =>
  signal(track.length, (at) => {
    const place = at + from;
    const whole = Math.floor(place);
    const part = place - whole;
    return gain * ((1 - part) * (track[whole] ?? 0) + part * (track[whole + 1] ?? 0));
  });

interface Stream {
  readonly stream: Float32Array;
  /** Where the page thinks that the stream began. */
  readonly estimate: number;
  readonly align?: boolean;
}

/** A stream that plays for half a second before the decoded track is offered; then another second. */
function takeOver(track: Float32Array, { stream, estimate, align = true }: Stream) {
  const desk = new Desk();
  desk.stream = stream;
  desk.send({ type: 'startStream', trackId: 'a' });
  const before = desk.seconds(0.5);
  desk.add('a', track);
  desk.send({ type: 'takeOver', trackId: 'a', estimate: { at: estimate, contextTime: 0 }, align });
  const after = desk.seconds(1);
  return { desk, output: Float32Array.from([...before.left, ...after.left]) };
}

test.each([
  ['at the estimate', 0],
  ['0.2 s after the estimate', 0.2],
  ['0.9 s before the estimate', -0.9],
])('finds a stream that is %s', (_, error) => {
  const track = song(4 * SECOND);
  const { desk, output } = takeOver(track, { stream: track.subarray(2 * SECOND), estimate: 2 - error });
  expect(desk.last('tookOver')).toMatchObject({ trackId: 'a', isExact: true });
  expect(desk.last('tookOver')?.offset).toBeCloseTo(error, 9);
  // Nothing is missing or repeated: after the fade-in it is the track, sample by sample.
  const played = track.subarray(2 * SECOND, 2 * SECOND + output.length);
  const error5 = output.subarray(480).map((sample, at) => sample - (played[at + 480] ?? 0));
  expect(Math.max(...error5.map(Math.abs))).toBeLessThan(1e-6);
  expect(desk.last('state')).toMatchObject({ source: 'buffer' });
});

test('finds a stream that is resampled and a little quieter, to half a frame', () => {
  const track = song(4 * SECOND);
  const { desk, output } = takeOver(track, { stream: resampled(track, 2 * SECOND + 0.5, 0.8), estimate: 2.1 });
  expect(Math.abs((desk.last('tookOver')?.offset ?? 1) + 0.1)).toBeLessThan(1.1 / SECOND);
  expect(largestJump(output.subarray(480))).toBeLessThan(largestJump(track) * 1.1);
});

test('finds hi-hats, which the coarse search averages away', () => {
  const hiss = noise(4 * SECOND, 4);
  const hats = signal(4 * SECOND, (at) => ((hiss[at] ?? 0) - (hiss[at - 1] ?? 0)) * Math.exp(-(at % 6_000) / 1_500));
  const { desk } = takeOver(hats, { stream: hats.subarray(2 * SECOND), estimate: 2.03 });
  expect(desk.last('tookOver')?.offset).toBeCloseTo(-0.03, 9);
});

test('stays near the estimate in a steady tone, which matches everywhere', () => {
  const tone = sine(4 * SECOND, 440);
  const { desk, output } = takeOver(tone, { stream: tone.subarray(2 * SECOND), estimate: 2.0004 });
  expect(Math.abs(desk.last('tookOver')?.offset ?? 1)).toBeLessThan(0.005);
  expect(largestJump(output.subarray(480))).toBeLessThan(largestJump(tone) * 1.1);
});

test('takes the estimate when the stream is silent or alignment is not wanted', () => {
  const track = song(4 * SECOND);
  const silent = takeOver(track, { stream: new Float32Array(4 * SECOND), estimate: 2 });
  expect(silent.desk.last('tookOver')).toMatchObject({ isExact: false, offset: 0 });
  const given = takeOver(track, { stream: track.subarray(2 * SECOND), estimate: 2.05, align: false });
  expect(given.desk.last('tookOver')).toMatchObject({ isExact: false, offset: 0 });
  const { position = 0, contextTime = 0 } = given.desk.last('state') ?? {};
  expect(position - contextTime).toBeCloseTo(2.05, 6);
});

test('keeps the stream when its audio is not found, or when it stalls during the search', () => {
  const track = song(4 * SECOND);
  const other = noise(4 * SECOND, 4);
  const { desk, output } = takeOver(track, { stream: other, estimate: 2 });
  expect(desk.last('takeOverFailed')).toEqual({ type: 'takeOverFailed', trackId: 'a', reason: 'noMatch' });
  expect(output.subarray(480)).toEqual(other.subarray(480, output.length));

  const stalling = other.subarray(2 * SECOND).slice();
  stalling.copyWithin(0.55 * SECOND, 0.52 * SECOND);
  expect(takeOver(other, { stream: stalling, estimate: 2 }).desk.last('takeOverFailed')?.reason).toBe('noMatch');
});

test('refuses an unknown track, and cancels when playback stops', () => {
  const desk = new Desk();
  desk.stream = noise(SECOND, 1);
  desk.send({ type: 'startStream', trackId: 'a' }, { type: 'takeOver', trackId: 'a', estimate: { at: 0, contextTime: 0 }, align: true });
  expect(desk.last('takeOverFailed')?.reason).toBe('notReady');
  desk.add('a', noise(SECOND, 1));
  desk.seconds(0.2);
  desk.send({ type: 'takeOver', trackId: 'a', estimate: { at: 0, contextTime: 0 }, align: true });
  desk.record(256);
  desk.send({ type: 'stop' });
  desk.seconds(0.1);
  expect(desk.reports.filter(({ type }) => type === 'takeOverFailed')).toHaveLength(2);
  expect(desk.last('stopped')).toMatchObject({ reason: 'stop' });
});

test('the stream’s pitch can change without a gap, and the decoded audio continues at its position', () => {
  const tone = sine(8 * SECOND, 440);
  const desk = new Desk();
  desk.stream = tone;
  desk.send({ type: 'startStream', trackId: 'a' });
  desk.seconds(1);
  desk.send({ type: 'setTempoAndPitch', tempo: 1, pitch: 1.5 });
  const { left } = desk.seconds(1);
  for (let at = 0; at + 960 <= left.length; at += 960) expect(Math.abs(decibels(rms(left.subarray(at, at + 960)) / rms(tone)))).toBeLessThan(3.5);
  const delay = desk.last('state')?.delay ?? 0;
  expect(delay).toBeGreaterThan(0.02);
  expect(delay).toBeLessThan(0.3);
  desk.add('a', tone);
  desk.send({ type: 'takeOver', trackId: 'a', estimate: { at: 0, contextTime: 0 }, align: true });
  desk.seconds(1);
  expect(desk.last('state')?.position).toBeCloseTo(desk.now - delay, 1);
});
