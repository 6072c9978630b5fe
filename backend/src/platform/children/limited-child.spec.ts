import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ChildFiles } from './child-permissions.js';
import { type LimitedChild, startChild } from './limited-child.js';

type Reply = { readonly kind: 'granted'; readonly text: string } | { readonly kind: 'denied'; readonly code: string };

const SECOND_MS = 1_000;
const LIMIT_BYTES = 512 * 1024 * 1024;
let data: string;
let child: LimitedChild<object, Reply>;

const start = (files: ChildFiles = {}, isBackground = false): void => {
  child = startChild({ program: new URL('../../testing/curious-child.js', import.meta.url), memoryBytes: LIMIT_BYTES, files, isBackground });
};
const ask = (kind: string, path = '', milliseconds = 20 * SECOND_MS) => child.run({ kind, path }, milliseconds);

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'roughmix-child-'));
  await writeFile(join(data, 'master.key'), 'secret');
  await writeFile(join(data, 'upload'), 'music');
});
afterEach(async () => {
  await child.kill();
  await rm(data, { recursive: true });
});

test.each(['read', 'write'])('a child may not %s the keys of the data folder', async (kind) => {
  start();
  expect(await ask(kind, join(data, 'master.key'))).toEqual({ kind: 'denied', code: 'ERR_ACCESS_DENIED' });
});

test('with native code it may not either, by the means of Node', async () => {
  start({ usesAddons: true });
  expect(await ask('read', join(data, 'master.key'))).toEqual({ kind: 'denied', code: 'ERR_ACCESS_DENIED' });
});

test('a child reads the files that are named for it, and no others', async () => {
  start({ reads: [join(data, 'upload')] });
  expect(await ask('read', join(data, 'upload'))).toEqual({ kind: 'granted', text: 'music' });
  expect(await ask('read', join(data, 'master.key'))).toMatchObject({ kind: 'denied' });
});

test('a child starts no processes and gets no environment', async () => {
  start();
  expect(await ask('fork', join(data, 'upload'))).toEqual({ kind: 'denied', code: 'ERR_ACCESS_DENIED' });
  expect(await ask('environment')).toMatchObject({ kind: 'granted', text: expect.not.stringContaining('PATH') as unknown });
});

test('a child in the background leaves the processor to everything else', async () => {
  start({}, true);
  const background = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL);
  expect(await ask('priority')).toEqual({ kind: 'granted', text: String(background) });
});

test('a child that takes too much memory is ended', async () => {
  start();
  expect(await ask('grow')).toEqual({ kind: 'overrun' });
  expect(child.isAlive()).toBe(false);
});

test('a child that takes too long is ended', async () => {
  start();
  expect(await ask('wait', '', 200)).toEqual({ kind: 'overrun' });
  expect(child.isAlive()).toBe(false);
});

test('a child that dies during a request reports it', async () => {
  start();
  await ask('environment');
  const outcome = ask('wait');
  await child.kill();
  expect(await outcome).toEqual({ kind: 'died' });
  expect(child.isAlive()).toBe(false);
});

test('a waiting reply is read before the timeout fires, even after this process was suspended', async () => {
  const written = join(data, 'written');
  start({ writes: [written] });
  await ask('environment');
  const outcome = ask('write', written, SECOND_MS);
  // Sends the request, then blocks until a moment after the child has written: by then its reply waits.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  busyUntil(() => existsSync(written), 20 * SECOND_MS);
  busyUntil(() => false, 1.5 * SECOND_MS);
  expect(await outcome).toEqual({ kind: 'granted', text: 'done' });
});

/** Blocks the event loop until a condition holds or the time is up. */
function busyUntil(isSo: () => boolean, milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end && !isSo(););
}
