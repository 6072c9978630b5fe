import { expect, test } from '@jest/globals';
import { addDays, addMonths, dayOf, instantOf, monthOf, startOfDay, timeOfDay } from './days';

test.each(['1970-01-02', '2026-03-29', '9999-12-31', '10000-01-01', '20266-12-01', '275760-09-11'])('%s is a day', (day) => {
  expect(dayOf(startOfDay(day))).toBe(day);
  expect([dayOf(instantOf(day, '18:05')), timeOfDay(instantOf(day, '18:05'))]).toEqual([day, '18:05']);
});

test('days and months are counted past the year 9999', () => {
  expect([addDays('9999-12-31', 1), addDays('10000-01-01', -1)]).toEqual(['10000-01-01', '9999-12-31']);
  expect([monthOf('20266-12-01'), addMonths('9999-12', 1), addMonths('10000-01', -1)]).toEqual(['20266-12', '10000-01', '9999-12']);
});

test.each([
  ['', '09:00'],
  ['2026-03', '09:00'],
  ['2026-03-09', ''],
  ['2026-03-09', '9'],
  ['275760-09-15', '09:00'],
])('%j at %j is no instant', (day, time) => expect(instantOf(day, time)).toBeNaN());
