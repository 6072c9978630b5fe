import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { TestClient } from './testing/test-client.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

let folder: string;
let program: ChildProcess | null = null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roughmix-output-'));
});
afterEach(async () => {
  if (program !== null && program.kill()) await once(program, 'close');
  await rm(folder, { recursive: true });
});

test('security lines are JSON on standard output, also beside readable log lines and whatever LOG_LEVEL says', async () => {
  const env = { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data'), ERASURES_FILE: join(folder, 'erasures.ndjson'), PORT: '0' };
  const started = spawn(process.execPath, [MAIN], { env: { ...env, LOG_FORMAT: 'pretty', LOG_LEVEL: 'error' }, stdio: ['ignore', 'pipe', 'inherit'] });
  program = started;
  const output = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
  const next = async (pattern: RegExp): Promise<string> => {
    for (let read = await output.next(); read.done !== true; read = await output.next()) {
      const found = pattern.exec(read.value);
      if (found !== null) return found[1] ?? '';
    }
    throw new Error(`the program ended before it wrote ${pattern.source}`);
  };
  const url = await next(/listening on ([^)]+)\)/);
  const answer = await new TestClient(url).post('/api/comments');
  expect(JSON.parse(await next(/^(\{.*\})$/))).toEqual({
    channel: 'security',
    time: expect.any(Number),
    event: 'access.refused',
    actor: null,
    address: '127.0.0.1',
    target: 'POST /api/comments',
    outcome: 'refused',
    requestId: answer.headers.get('x-request-id'),
  });
});
