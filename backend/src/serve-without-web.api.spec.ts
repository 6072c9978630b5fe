import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { readConfig } from './platform/config/config.js';
import { openPlatform } from './platform/platform.js';
import type { RunningProgram } from './running-program.js';
import { buildName } from './platform/version.js';
import { serveWithoutWeb } from './serve-without-web.js';
import { slices } from './slices.js';
import { readinessOf, TestClient } from './testing/test-client.js';

let folder: string;
let program: RunningProgram;
let printed: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roughmix-without-web-'));
  printed = [];
});
afterEach(async () => {
  await program.stop();
  await rm(folder, { recursive: true });
});

async function start(environment: NodeJS.ProcessEnv = {}): Promise<TestClient> {
  const config = readConfig({ DATA_DIR: folder, ERASURES_FILE: join(folder, 'erasures.ndjson'), ...environment });
  const platform = await openPlatform({ ...config, PORT: 0, ROLES: ['projector', 'reactor'] }, slices, pino({ level: 'silent' }));
  program = await serveWithoutWeb(platform, (line) => void printed.push(line));
  return new TestClient(program.address);
}

test('a process without the role web serves its health, but neither an API nor pages', async () => {
  const client = await start();
  const ready = await readinessOf<{ status: string; works: object }>(client);
  expect([ready.status, ready.body.status, ready.body.works]).toEqual([200, 'ready', { projector: { here: true }, reactor: { here: true } }]);
  expect((await client.get('/health/live')).body).toEqual({ status: 'ok' });
  for (const path of ['/', '/api/session', '/metrics', '/socket.io/']) expect((await client.get(path)).status).toBe(404);
  expect(printed).toEqual([`Roughmix runs as projector and reactor (health at ${program.address}/health/ready), version ${buildName()}`]);
});

test('with METRICS_PORT it serves metrics there, and details of readiness only there', async () => {
  const client = await start({ METRICS_PORT: '0' });
  expect((await readinessOf(client)).body).toEqual({ status: 'ready' });
  const answer = await fetch(`http://127.0.0.1:${program.metricsPort}/metrics`);
  const text = await answer.text();
  expect(text).toContain('roughmix_work_here{work="projector"} 1');
  expect(text).toContain('roughmix_projector_behind_seconds{projector="users"} 0');
  expect(text).toContain('roughmix_letters{state="waiting"} 0');
});
