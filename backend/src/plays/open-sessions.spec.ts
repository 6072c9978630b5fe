import { beforeEach, expect, test } from '@jest/globals';
import { type Listening, OpenSessions } from './open-sessions.js';

const SECOND = 1_000;
const ana: Listening = { socketId: 's1', uid: 'ana', projectId: 'p1', versionId: 'v1' };
let now: number;
let open: OpenSessions;
beforeEach(() => {
  now = 0;
  open = new OpenSessions(() => now);
});

test('seconds of one socket and version add up to one session, from its first message to its last', () => {
  open.report(ana, { seconds: 30, at: 100 });
  open.report({ ...ana, versionId: 'v2' }, { seconds: 5, at: 150 });
  open.report(ana, { seconds: 12, at: 200 });
  expect(open.takeOf('s1').map(({ versionId, startedAt, endedAt, seconds }) => ({ versionId, startedAt, endedAt, seconds }))).toEqual([
    { versionId: 'v2', startedAt: 150, endedAt: 150, seconds: 5 },
    { versionId: 'v1', startedAt: 100, endedAt: 200, seconds: 42 },
  ]);
  expect(open.takeAll()).toEqual([]);
});

test('the next message about a version may come after thirty seconds; other versions and sockets do not wait', () => {
  open.report(ana, { seconds: 30, at: 0 });
  now = 30 * SECOND - 1;
  expect([open.mayReport(ana), open.mayReport({ ...ana, versionId: 'v2' }), open.mayReport({ ...ana, socketId: 's2' })]).toEqual([false, true, true]);
  now = 30 * SECOND;
  expect(open.mayReport(ana)).toBe(true);
});

test('a session ends after five minutes without a message, and a later message starts another', () => {
  open.report(ana, { seconds: 30, at: 0 });
  now = 300 * SECOND - 1;
  expect(open.takeIdle()).toEqual([]);
  now = 300 * SECOND;
  expect(open.takeIdle()).toMatchObject([{ versionId: 'v1', seconds: 30 }]);
  open.report(ana, { seconds: 7, at: 400 });
  expect(open.takeAll()).toMatchObject([{ startedAt: 400, seconds: 7 }]);
});

test('the end of a socket ends its own sessions only', () => {
  open.report(ana, { seconds: 1, at: 0 });
  open.report({ ...ana, socketId: 's2' }, { seconds: 2, at: 0 });
  expect(open.takeOf('s1')).toMatchObject([{ socketId: 's1' }]);
  expect(open.takeAll()).toMatchObject([{ socketId: 's2' }]);
});

test('a socket has at most twenty sessions; the one that was silent the longest ends', () => {
  for (let at = 1; at <= 20; at++) expect(open.report({ ...ana, versionId: `v${at}` }, { seconds: 1, at })).toEqual([]);
  open.report({ ...ana, versionId: 'v1' }, { seconds: 1, at: 21 });
  expect(open.report({ ...ana, versionId: 'v21' }, { seconds: 1, at: 22 })).toMatchObject([{ versionId: 'v2' }]);
});
