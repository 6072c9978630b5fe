import { expect, test } from '@jest/globals';
import { formatPercent, formatRatio, formatSemitones } from './ratio';

test('a ratio has two decimal places, a percentage none', () => {
  expect([0.05, 0.75, 1, 2].map(formatRatio)).toEqual(['0.05', '0.75', '1.00', '2.00']);
  expect([0.05, 0.75, 1, 2].map(formatPercent)).toEqual(['5 %', '75 %', '100 %', '200 %']);
});

test('a ratio of frequencies is shown in signed semitones', () => {
  expect([2, 1.5, 1, 0.5, 0.05].map(formatSemitones)).toEqual(['+12.0', '+7.0', '0.0', '\u221212.0', '\u221251.9']);
});
