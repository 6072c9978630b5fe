import { beforeEach, expect, test } from '@jest/globals';
import { ListeningMeter } from './listening-meter';

let now: number;
let meter: ListeningMeter;
beforeEach(() => {
  now = 1_000;
  meter = new ListeningMeter(() => now);
});
const after = (seconds: number) => {
  now += seconds * 1_000;
  return meter;
};

test('what plays is reported every thirty seconds and a half, in whole seconds; the rest is kept', () => {
  meter.hear('v1');
  expect(after(30).take()).toEqual([]);
  expect(after(0.5).take()).toEqual([{ versionId: 'v1', seconds: 30 }]);
  expect(after(30).take()).toEqual([]);
  expect(after(0.5).take()).toEqual([{ versionId: 'v1', seconds: 31 }]);
});

test('a pause does not count, and what was heard before it is reported later', () => {
  meter.hear('v1');
  after(12).hear(null);
  expect(after(10).take()).toEqual([]);
  expect(after(10).take()).toEqual([{ versionId: 'v1', seconds: 12 }]);
  expect(after(60).take()).toEqual([]);
});

test('versions are counted apart', () => {
  meter.hear('v1');
  after(5).hear('v2');
  after(7).hear('v1');
  after(3).hear(null);
  expect(after(30).take()).toEqual([
    { versionId: 'v1', seconds: 8 },
    { versionId: 'v2', seconds: 7 },
  ]);
});

test('a report has at most sixty seconds; the rest comes with the next one', () => {
  meter.hear('v1');
  expect(after(75).take()).toEqual([{ versionId: 'v1', seconds: 60 }]);
  after(0).hear(null);
  expect(after(30.5).take()).toEqual([{ versionId: 'v1', seconds: 15 }]);
});

test('when the page is left, a first report is due at once, a later one is not', () => {
  meter.hear('v1');
  expect(after(4).take(true)).toEqual([{ versionId: 'v1', seconds: 4 }]);
  expect(after(4).take(true)).toEqual([]);
});

test('less than a second is not reported', () => {
  meter.hear('v1');
  expect(after(0.9).take(true)).toEqual([]);
});
