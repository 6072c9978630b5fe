import { expect, test } from '@jest/globals';
import { Desk, sine } from './mixer-fixture';
import { toStereo } from './track-audio';

const SECOND = 48_000;

test('while metering is on, reports loudness and peak of the playing version 10 times a second, before its gain', () => {
  const desk = new Desk();
  const tone = sine(8 * SECOND, 1_000, { amplitude: 10 ** (-23 / 20) });
  desk.send({ type: 'addTrack', trackId: 'a', channels: [tone, tone.slice()], gain: 0.5 }, { type: 'start', trackId: 'a', at: 0 });
  desk.seconds(1);
  expect(desk.last('meter')).toBeUndefined();
  desk.send({ type: 'setMetering', isOn: true });
  desk.seconds(4);
  expect(desk.reports.filter(({ type }) => type === 'meter').length).toBeGreaterThanOrEqual(38);
  expect(desk.last('meter')?.shortTerm).toBeCloseTo(-23, 1);
  expect(desk.last('meter')?.peak).toBeCloseTo(10 ** (-23 / 20), 3);
});

test('mono audio counts as one channel, as in the stored loudness', () => {
  const desk = new Desk();
  desk.add('a', sine(8 * SECOND, 1_000, { amplitude: 10 ** (-23 / 20) }));
  desk.send({ type: 'setMetering', isOn: true }, { type: 'start', trackId: 'a', at: 0 });
  desk.seconds(4);
  expect(desk.last('meter')?.shortTerm).toBeCloseTo(-26, 1);
});

test('more than two channels are mixed by the rules of Web Audio', () => {
  const channels = (...values: readonly number[]) => values.map((value) => Float32Array.of(value));
  const mixed = (...values: readonly number[]) => toStereo(channels(...values)).map(([sample = NaN]) => Number(sample.toFixed(4)));
  expect(mixed(0.5)).toEqual([0.5]);
  expect(mixed(0.5, 0.25)).toEqual([0.5, 0.25]);
  expect(mixed(0.5, 0.25, 0.1)).toEqual([0.5, 0.25]);
  expect(mixed(0.4, 0.2, 0.2, 0.6)).toEqual([0.3, 0.4]);
  expect(mixed(0.1, 0.2, 0.4, 0.9, 0.3, 0.5)).toEqual([0.595, 0.8364]);
});
