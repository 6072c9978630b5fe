import { expect, test } from '@jest/globals';
import { formatGain, formatLoudness, formatTruePeak } from './loudness';

test('loudness has a typographic minus sign and one decimal place', () => {
  expect(formatLoudness(-11.94)).toBe('\u221211.9 LUFS');
  expect(formatLoudness(-0.04)).toBe('0.0 LUFS');
  expect(formatLoudness(Number.NEGATIVE_INFINITY)).toBe('silent');
});

test('a true peak may be above zero', () => {
  expect(formatTruePeak(-0.8)).toBe('\u22120.8 dBTP');
  expect(formatTruePeak(0.3)).toBe('0.3 dBTP');
});

test('a gain states its direction in words', () => {
  expect(formatGain(-2.31)).toBe('turned down 2.3 dB');
  expect(formatGain(1.5)).toBe('turned up 1.5 dB');
  expect(formatGain(0.02)).toBe('unchanged');
});
