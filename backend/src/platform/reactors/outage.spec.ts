import { expect, test } from '@jest/globals';
import { ServiceUnavailable } from '../store-errors.js';
import { Outage } from './outage.js';

test('an outage is logged once when it begins and once when it ends, however many retries fail', () => {
  const lines: string[] = [];
  const log = {
    info: (_fields: object, message: string) => lines.push(`info: ${message}`),
    error: (_fields: object, message: string) => lines.push(`error: ${message}`),
  };
  const outage = new Outage(log, { reactor: 'r' });
  for (let attempt = 0; attempt < 10; attempt += 1) outage.failed(new ServiceUnavailable('frozen'));
  outage.over();
  outage.over();
  expect(lines).toEqual(['error: a store is unavailable or busy: retrying with backoff', 'info: the store is available again: continuing']);
});

test('waits grow up to the cap, and start over after a success', () => {
  const log = { info: () => undefined, error: () => undefined };
  const outage = new Outage(log, {}, { baseMs: 100, capMs: 300 });
  const waits = Array.from({ length: 200 }, () => outage.failed(new ServiceUnavailable('frozen')));
  expect(waits[0]).toBeLessThan(100);
  expect(Math.max(...waits)).toBeLessThan(300);
  outage.over();
  expect([outage.attempts, outage.failed(new ServiceUnavailable('frozen')) < 100, outage.attempts]).toEqual([0, true, 1]);
});
