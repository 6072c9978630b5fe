import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import type { NewEvent, StoredEvent } from '../../kernel/event.js';
import { StoreDamaged } from '../store-errors.js';
import { EmbeddedEventStore } from './embedded-event-store.js';
import { verifyLogFile } from './log-copy.js';
import { RUN_ROWS } from './log-runs.js';
import { surveyLog } from './log-survey.js';
import { appendNext } from '../../testing/append-next.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'roughmix-log-'));
  file = join(folder, 'log.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const NAMES = ['a', 'a ', 'a!', 'a-1', 'a1', 'ab', '', '12', 'a\u00e9'].map((name) => `s${name}`);
/** A log of 73 events in two streams, written by a version that had one row of `streams` per stream. */
const OLD_LOG = new URL('../../testing/log-without-runs.db', import.meta.url);

const anEvent = (n: number): NewEvent => ({
  id: randomUUID(),
  type: 'RunTried',
  data: { n },
  meta: { actorUid: null, at: 1_700_000_000_000, commandId: randomUUID(), correlationId: randomUUID(), causationId: null },
});
const upTo = (count: number, from = 0): number[] => Array.from({ length: Math.max(0, count - from) }, (_, n) => from + n);
const numbers = (events: readonly StoredEvent[]): unknown[] => events.map(({ data }) => (data as { n: number }).n);

/** The rows of `streams`, in order. */
function runNames(): string[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return db
      .prepare('SELECT name FROM streams ORDER BY name')
      .all()
      .map((row) => (row as { name: string }).name);
  } finally {
    db.close();
  }
}

test('a stream of many runs can be read from any revision, without events of other streams', async () => {
  const store = await EmbeddedEventStore.open({ file });
  const count = 2 * RUN_ROWS + 3;
  for (const n of upTo(count)) await Promise.all(NAMES.map((name) => store.append(name, n === 0 ? 'none' : n - 1, [anEvent(n)])));
  for (const from of upTo(count + 2)) expect(numbers(await store.readStream('sa', { from }))).toEqual(upTo(count, from));
  for (const name of NAMES) {
    const read = await store.readStream(name);
    expect(read.map((event) => [event.stream, event.revision, (event.data as { n: number }).n])).toEqual(upTo(count).map((n) => [name, n, n]));
    expect(numbers(await store.readStream(name, { from: RUN_ROWS - 2, limit: 5 }))).toEqual(upTo(RUN_ROWS + 3, RUN_ROWS - 2));
  }
  expect((await store.readNewest(9)).map((event) => event.stream).toSorted()).toEqual(NAMES.toSorted());
  expect(await store.readStream(`sa\u001F${String(RUN_ROWS).padStart(10, '0')}`)).toEqual([]);
  await store.close();
  expect(runNames()).toHaveLength(3 * NAMES.length);
  expect((await surveyLog(file)).streams).toBe(NAMES.length);
});

test('repeating an append longer than a run is recognised, even after other appends and after a restart', async () => {
  const before = await EmbeddedEventStore.open({ file });
  const events = upTo(3 * RUN_ROWS).map(anEvent);
  await before.append('long', 'none', [anEvent(-1)]);
  const first = await before.append('long', 0, events);
  await appendNext(before, 'long', [anEvent(-2)]);
  expect(await before.append('long', 0, events)).toEqual(first);
  await before.close();
  const after = await EmbeddedEventStore.open({ file });
  expect(await after.append('long', 0, events)).toEqual(first);
  expect((await appendNext(after, 'long', [anEvent(-3)])).revision).toBe(3 * RUN_ROWS + 2);
  await after.close();
});

test('a log written before runs existed opens unchanged, and its streams continue in runs', async () => {
  copyFileSync(OLD_LOG, file);
  expect(verifyLogFile(file).position).toBe(73);
  expect(await surveyLog(file)).toEqual({ events: 73, streams: 2, intactTo: 73, head: 73, damage: [] });
  expect(readFileSync(file)).toEqual(readFileSync(OLD_LOG));
  const store = await EmbeddedEventStore.open({ file });
  expect(store.opened.verifiedRows).toBe(73);
  expect(numbers(await store.readStream('project-old'))).toEqual(upTo(70));
  expect((await store.append('project-old', 69, [anEvent(70)])).revision).toBe(70);
  expect((await store.append('user-old', 2, [anEvent(90)])).revision).toBe(3);
  expect(numbers(await store.readStream('project-old', { from: 68 }))).toEqual([68, 69, 70]);
  expect(await store.verify()).toBe(75);
  await store.close();
  expect(runNames()).toEqual(['project-old', 'project-old\u001F0000000070', 'user-old']);
  const analyst = new DatabaseSync(file, { readOnly: true });
  expect(analyst.prepare('SELECT stream, revision, data FROM log WHERE position > 73 ORDER BY position').all()).toEqual([
    { stream: 'project-old', revision: 70, data: '{"n":70}' },
    { stream: 'user-old', revision: 3, data: '{"n":90}' },
  ]);
  analyst.close();
  const again = await EmbeddedEventStore.open({ file });
  expect(numbers(await again.readStream('project-old'))).toEqual(upTo(71));
  await again.close();
});

test('a run that does not begin at the revision in its name prevents the start', async () => {
  const store = await EmbeddedEventStore.open({ file });
  for (const n of upTo(2 * RUN_ROWS)) await appendNext(store, 'named', [anEvent(n)]);
  await store.close();
  const db = new DatabaseSync(file);
  db.exec("UPDATE streams SET name = 'named' || char(31) || '0000000031' WHERE name LIKE '%32'");
  db.close();
  await expect(EmbeddedEventStore.open({ file })).rejects.toThrow(StoreDamaged);
});
