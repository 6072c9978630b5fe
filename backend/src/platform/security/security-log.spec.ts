import { beforeEach, describe, expect, test } from '@jest/globals';
import { manualClock } from '../../testing/manual-clock.js';
import type { SecurityLine } from './security-event.js';
import { SecurityLog } from './security-log.js';
import { withSecurityScope } from './security-scope.js';

const MINUTE_MS = 60_000;
const clock = manualClock();
let lines: SecurityLine[];
let log: SecurityLog;

beforeEach(() => {
  lines = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as SecurityLine);
  log = new SecurityLog({ config: { LOG_ADDRESSES: 'true' }, clock: clock.now, write });
});

const refuse = (address: string): void => withSecurityScope({ requestId: 'r', address, actor: null }, () => log.refused('auth.required', 'POST /api/comments'));
const counted = (): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { event, target, address } of lines) counts[`${event} ${target} ${address}`] = (counts[`${event} ${target} ${address}`] ?? 0) + 1;
  return counts;
};

describe('refusals that anyone can cause', () => {
  test('are written 300 times a minute for one network; then one line says so, and other networks go on', () => {
    for (let nth = 0; nth < 400; nth += 1) refuse('192.0.2.1');
    refuse('192.0.2.2');
    expect(counted()).toEqual({
      'access.refused POST /api/comments 192.0.2.1': 300,
      'throttle.hit security-log 192.0.2.1': 1,
      'access.refused POST /api/comments 192.0.2.2': 1,
    });
    clock.move(MINUTE_MS);
    refuse('192.0.2.1');
    expect(lines.at(-1)).toMatchObject({ event: 'access.refused', address: '192.0.2.1' });
  });

  test('of an IPv6 subscriber count together', () => {
    for (let nth = 0; nth < 400; nth += 1) refuse(`2001:db8:1:2::${nth.toString(16)}`);
    expect(lines).toHaveLength(301);
  });

  test('are written 1,000 times a minute for all networks together', () => {
    for (let nth = 0; nth < 3_000; nth += 1) refuse(`10.0.${nth >> 8}.${nth & 255}`);
    expect(lines).toHaveLength(1_001);
    expect(lines.at(-1)).toMatchObject({ event: 'throttle.hit', target: 'security-log', outcome: 'refused' });
  });

  test('never keep successful events out', () => {
    for (let nth = 0; nth < 400; nth += 1) refuse('192.0.2.1');
    withSecurityScope({ requestId: 'r', address: '192.0.2.1', actor: null }, () => log.record('session.started', { actor: 'ana', target: 's' }));
    expect(lines.at(-1)).toMatchObject({ event: 'session.started', actor: 'ana' });
  });
});
