import { expect, test } from '@jest/globals';
import { manualClock } from '../../testing/manual-clock.js';
import { RestingHosts } from './resting-hosts.js';

test('a host rests for a minute after its last failure, and no longer when the clock is set back', () => {
  const clock = manualClock();
  const hosts = new RestingHosts(clock.now);
  expect(hosts.has('a')).toBe(false);
  hosts.add('a');
  clock.move(59_999);
  expect(hosts.has('a')).toBe(true);
  hosts.add('a');
  clock.move(59_999);
  expect(hosts.has('a')).toBe(true);
  clock.move(1);
  expect(hosts.has('a')).toBe(false);
  hosts.add('a');
  clock.move(-1);
  expect(hosts.has('a')).toBe(false);
});

test('of more than a thousand hosts the one that failed first is forgotten', () => {
  const hosts = new RestingHosts(manualClock().now);
  for (let nth = 0; nth < 1_000; nth += 1) hosts.add(`${nth}`);
  hosts.add('0');
  hosts.add('more');
  expect([hosts.has('0'), hosts.has('1'), hosts.has('2'), hosts.has('more')]).toEqual([true, false, true, true]);
});
