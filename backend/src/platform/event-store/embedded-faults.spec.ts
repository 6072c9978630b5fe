import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import type { NewEvent } from '../../kernel/event.js';
import { ServiceUnavailable, StoreDamaged } from '../store-errors.js';
import { EmbeddedEventStore } from './embedded-event-store.js';
import { appendNext } from '../../testing/append-next.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'roughmix-log-'));
  file = join(folder, 'log.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

function anEvent(data: unknown = {}): NewEvent {
  const meta = { actorUid: null, at: 1_700_000_000_000, commandId: randomUUID(), correlationId: randomUUID(), causationId: null };
  return { id: randomUUID(), type: 'FaultTried', data, meta };
}

/** The files as a crash after `count` appends leaves them: copied while the log is open. */
async function crashedLog(count: number): Promise<{ copy: string; lastCommit: number }> {
  const store = await EmbeddedEventStore.open({ file });
  let lastCommit = 0;
  for (let n = 0; n < count; n++) {
    lastCommit = statSync(`${file}-wal`).size;
    await appendNext(store, 'crashed', [anEvent({ n, text: 'x'.repeat(300) })]);
  }
  const copy = join(folder, 'crashed', 'log.db');
  mkdirSync(join(folder, 'crashed'));
  for (const end of ['', '-wal']) copyFileSync(file + end, copy + end);
  await store.close();
  return { copy, lastCommit };
}

function flipByte(path: string, offset: number): void {
  const bytes = readFileSync(path);
  bytes[offset] = (bytes[offset] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

const contents = (path: string): Buffer[] => [readFileSync(path), readFileSync(`${path}-wal`)];

test('after a crash every acknowledged event is stored and its checksums match', async () => {
  const { copy } = await crashedLog(40);
  const store = await EmbeddedEventStore.open({ file: copy });
  expect(store.opened).toEqual({ droppedBytes: 0, missingBytes: 0, verifiedRows: 40 });
  expect((await store.readStream('crashed')).map((event) => event.revision)).toEqual(Array.from({ length: 40 }, (_, n) => n));
  expect(await store.verify()).toBe(40);
  await store.close();
  for (const [wholeBytes, verifiedRows] of [
    [0, 0],
    [1e9, 40],
  ] as const) {
    const again = await EmbeddedEventStore.open({ file: copy, wholeBytes });
    expect(again.opened).toEqual({ droppedBytes: 0, missingBytes: 0, verifiedRows });
    await again.close();
  }
});

test('a torn last record is dropped and reported, and appends continue', async () => {
  const { copy, lastCommit } = await crashedLog(20);
  const whole = contents(copy);
  const size = statSync(`${copy}-wal`).size;
  for (const cut of [lastCommit + 1, lastCommit + 30, lastCommit + 4120, size - 1]) {
    for (const name of readdirSync(join(folder, 'crashed'))) rmSync(join(folder, 'crashed', name));
    ['', '-wal'].forEach((end, i) => writeFileSync(copy + end, whole[i] ?? ''));
    truncateSync(`${copy}-wal`, cut);
    const store = await EmbeddedEventStore.open({ file: copy });
    expect(store.opened).toEqual({ droppedBytes: cut - lastCommit, missingBytes: 0, verifiedRows: 19 });
    expect((await store.append('crashed', 18, [anEvent()])).revision).toBe(19);
    await store.close();
  }
});

test('a flipped byte in the middle of the write-ahead log prevents the start, names the offset and changes nothing', async () => {
  const { copy } = await crashedLog(20);
  const offset = 32 + 10 * 4120 + 500;
  flipByte(`${copy}-wal`, offset);
  const before = contents(copy);
  const refused = await EmbeddedEventStore.open({ file: copy }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StoreDamaged);
  expect(refused).toMatchObject({ file: `${copy}-wal`, offset: 32 + 10 * 4120 });
  expect(contents(copy)).toEqual(before);
});

test('a changed row prevents the start, and the file is left unchanged', async () => {
  const store = await EmbeddedEventStore.open({ file });
  for (let n = 0; n < 30; n++) await appendNext(store, 'rows', [anEvent({ text: `needle-${n}.${'x'.repeat(400)}` })]);
  await store.close();
  const needle = readFileSync(file).indexOf('needle-20.');
  flipByte(file, needle);
  const before = readFileSync(file);
  const refused = await EmbeddedEventStore.open({ file }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StoreDamaged);
  expect(refused).toMatchObject({ file, offset: needle - (needle % 4096), intactTo: 20 });
  expect(readFileSync(file)).toEqual(before);
});

test('a changed row in a log too large to verify at startup is found soon after and stops writing', async () => {
  const store = await EmbeddedEventStore.open({ file });
  for (let n = 0; n < 30; n++) await appendNext(store, 'rows', [anEvent({ text: `needle-${n}.${'x'.repeat(400)}` })]);
  await store.close();
  await (await EmbeddedEventStore.open({ file })).close();
  const needle = readFileSync(file).indexOf('needle-20.');
  flipByte(file, needle);
  const reported = new Promise<string>((resolve) => {
    void EmbeddedEventStore.open({ file, wholeBytes: 0, onTrouble: resolve }).then((opened) => (large = opened));
  });
  let large: EmbeddedEventStore | undefined;
  expect(await reported).toBe(`the log cannot be written: ${file} is damaged at byte ${needle - (needle % 4096)}, position 21`);
  await expect(large?.append('rows', 29, [anEvent()])).rejects.toThrow(ServiceUnavailable);
  expect(await large?.readStream('rows')).toHaveLength(30);
  await expect(large?.verify()).rejects.toMatchObject({ name: 'StoreDamaged', file, offset: needle - (needle % 4096) });
  await large?.close();
});

test('an empty file with a non-empty write-ahead log is refused, because SQLite would delete that log', async () => {
  const { copy } = await crashedLog(3);
  truncateSync(copy, 0);
  const before = contents(copy);
  await expect(EmbeddedEventStore.open({ file: copy })).rejects.toMatchObject({ name: 'StoreDamaged', file: copy, offset: 0 });
  expect(contents(copy)).toEqual(before);
});

test('a file that is not a log is refused as damaged', async () => {
  writeFileSync(file, 'something else entirely '.repeat(500));
  await expect(EmbeddedEventStore.open({ file })).rejects.toThrow(StoreDamaged);
});

test('a log cannot be opened twice at the same time', async () => {
  const first = await EmbeddedEventStore.open({ file });
  await expect(EmbeddedEventStore.open({ file })).rejects.toThrow(ServiceUnavailable);
  await first.append('still', 'none', [anEvent()]);
  await first.close();
  const second = await EmbeddedEventStore.open({ file });
  expect(await second.head()).toBe(1);
  await second.close();
});

test('an append that times out is refused, and repeating it returns its outcome', async () => {
  const store = await EmbeddedEventStore.open({ file, deadlineMs: 1_500 });
  const blocker = new DatabaseSync(file);
  blocker.exec('BEGIN IMMEDIATE');
  const events = [anEvent()];
  await expect(store.append('late', 'none', events)).rejects.toThrow(ServiceUnavailable);
  await expect(store.check()).rejects.toThrow(ServiceUnavailable);
  blocker.exec('ROLLBACK');
  blocker.close();
  const committed = store.subscribe({ after: 0, signal: AbortSignal.timeout(9000), limit: 1 });
  for await (const page of committed) {
    expect(page.map((event) => event.id)).toEqual(events.map((event) => event.id));
    break;
  }
  expect(await store.append('late', 'none', events)).toEqual({ revision: 0, position: 1 });
  await store.close();
});

test('the readiness probe writes without changing the log', async () => {
  const store = await EmbeddedEventStore.open({ file });
  await store.check();
  expect(await store.head()).toBe(0);
  await store.close();
  await expect(store.check()).rejects.toThrow(ServiceUnavailable);
  await expect(store.head()).rejects.toThrow(ServiceUnavailable);
});
