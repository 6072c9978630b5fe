import { expect, test } from '@jest/globals';
import { addMonths } from '../../shared/format/days';
import { dayAfterKey, weeksOf } from './calendar';

test('a month has 6 weeks of 7 days, from the Monday on or before its first day', () => {
  const weeks = weeksOf('2026-03');
  expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7, 7]);
  expect([weeks[0]?.[0], weeks[0]?.[6], weeks[5]?.[6]]).toEqual(['2026-02-23', '2026-03-01', '2026-04-05']);
  expect(weeksOf('2026-06')[0]?.[0]).toBe('2026-06-01');
  expect(new Set(weeksOf('2026-10').flat()).size).toBe(42);
});

test('months are counted across years', () => {
  expect([addMonths('2026-12', 1), addMonths('2026-01', -1), addMonths('2026-03', 0)]).toEqual(['2027-01', '2025-12', '2026-03']);
});

test('keys move by days, weeks and months; a day that a month lacks becomes its last one', () => {
  const from = (day: string, keys: readonly string[]) => keys.map((key) => dayAfterKey(key, day));
  expect(from('2026-03-31', ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])).toEqual(['2026-03-30', '2026-04-01', '2026-03-24', '2026-04-07']);
  expect(from('2026-03-31', ['Home', 'End', 'PageUp', 'PageDown'])).toEqual(['2026-03-30', '2026-04-05', '2026-02-28', '2026-04-30']);
  expect(from('2026-03-29', ['Home', 'End', 'Enter'])).toEqual(['2026-03-23', '2026-03-29', null]);
});
