import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { EmbeddedEventStore } from '../platform/event-store/embedded-event-store.js';
import { operate } from '../testing/operate.js';
import { appendNext } from '../testing/append-next.js';
import { READER_GONE } from './operation.js';

let folder: string;
let store: EmbeddedEventStore;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'roughmix-events-'));
  store = await EmbeddedEventStore.open({ file: join(folder, 'log.db') });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const meta = { actorUid: 'ana', at: 1_700_000_000_000, commandId: 'c', correlationId: 'c', causationId: null };

async function write(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const [n, id] of ids.entries()) {
    const data = { n, name: { $sealed: 'AAAA', by: 'ana' } };
    await appendNext(store, `stream-${n % 2}`, [{ id, type: 'OperationTried', data, meta }]);
  }
  return ids;
}

async function run(args: readonly string[], signal = new AbortController().signal, out = new PassThrough()): Promise<{ code: number; lines: string[] }> {
  const output = text(out);
  const code = await operate(args, { DATA_DIR: folder }, { out, err: new PassThrough().resume(), signal });
  out.end();
  return { code, lines: (await output).split('\n').filter((line) => line !== '') };
}

const parsed = (lines: readonly string[]): { position: number }[] => lines.map((line) => JSON.parse(line) as { position: number });
const positionsIn = (lines: readonly string[]): number[] => parsed(lines).map(({ position }) => position);

test.each<[reason: unknown, code: number, sentence: string]>([
  [READER_GONE, 0, ''],
  [undefined, 1, 'interrupted\n'],
])('an operation that is aborted (%p) ends without a stack', async (reason, expected, sentence) => {
  const [out, err] = [new PassThrough({ highWaterMark: 1 }), new PassThrough()];
  const code = await operate(['events', 'verify'], { DATA_DIR: folder }, { out, err, signal: AbortSignal.abort(reason) });
  err.end();
  expect([code, await text(err)]).toEqual([expected, sentence]);
});

test('events export prints every event of an open log as a line, without sealed fields', async () => {
  const ids = await write(5);
  const { code, lines } = await run(['events', 'export']);
  expect(code).toBe(0);
  const events = ids.map((id, n) => ({
    id,
    type: 'OperationTried',
    data: { n },
    meta,
    stream: `stream-${n % 2}`,
    revision: Math.floor(n / 2),
    position: n + 1,
  }));
  expect(parsed(lines)).toEqual(events);
  expect(positionsIn((await run(['events', 'export', '--after', '1', '--until', '3'])).lines)).toEqual([2, 3]);
  expect((await run(['events', 'export', '--after', 'x'])).code).toBe(2);
});

test('events tail prints the last ten events or those after a position, and follows until interrupted', async () => {
  await write(12);
  expect(positionsIn((await run(['events', 'tail'])).lines)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(positionsIn((await run(['events', 'tail', '--after', '10'])).lines)).toEqual([11, 12]);
  const [stop, out] = [new AbortController(), new PassThrough()];
  let seen = 0;
  out.on('data', (chunk: Buffer) => {
    seen += chunk.toString().split('\n').length - 1;
    if (seen === 1) void write(2);
    if (seen === 3) stop.abort();
  });
  const { code, lines } = await run(['events', 'tail', '--after', '11', '--follow'], stop.signal, out);
  expect({ code, positions: positionsIn(lines) }).toEqual({ code: 0, positions: [12, 13, 14] });
});

test('events verify counts intact events, locates damage, and reports the last intact position', async () => {
  await write(40);
  const file = join(folder, 'log.db');
  const whole = await run(['events', 'verify']);
  expect(whole.code).toBe(0);
  expect(whole.lines[0]).toMatch(/log\.db is intact: 40 events in 2 streams, up to position 40, verified in \d+\.\d s$/);
  await store.close();
  const bytes = readFileSync(file);
  const offset = bytes.indexOf('"n":20,');
  bytes[offset + 4] = 0x39;
  writeFileSync(file, bytes);
  const { code, lines } = await run(['events', 'verify']);
  expect(code).toBe(1);
  expect(lines[0]).toBe(`${file} is damaged at byte ${offset - (offset % 4096)}, position 21`);
  expect(lines[1]).toMatch(/^intact up to position 20; 40 events are readable, the newest at position 40 /);
  expect(lines[2]).toBe('19 events after the damage are intact');
  expect(readFileSync(file)).toEqual(bytes);
});

test('a missing log is reported', async () => {
  await store.close();
  rmSync(join(folder, 'log.db'));
  await expect(run(['events', 'verify'])).rejects.toThrow(`${join(folder, 'log.db')} does not exist`);
});
