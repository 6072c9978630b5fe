import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { StoreAway, StoreDamaged } from './platform/store-errors.js';
import { programArguments } from './program-arguments.js';
import { startProgram } from './run.js';
import { startFailure } from './start-failure.js';
import { freePort } from './testing/free-port.js';

let folder: string;
let other: Server;
let taken: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roughmix-start-'));
  other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  taken = typeof address === 'object' && address !== null ? address.port : 0;
});
afterEach(async () => {
  other.close();
  await rm(folder, { recursive: true });
});

/** What is said of a program that cannot start in this environment. */
async function failure(environment: NodeJS.ProcessEnv): Promise<string> {
  const whole = { DATA_DIR: join(folder, 'data'), ERASURES_FILE: join(folder, 'erasures.ndjson'), PORT: await freePort(), LOG_LEVEL: 'silent', ...environment };
  const { DATA_DIR = '', ERASURES_FILE, HOST = '127.0.0.1', METRICS_PORT } = whole as NodeJS.ProcessEnv;
  const where = { DATA_DIR, ERASURES_FILE: ERASURES_FILE ?? null, HOST, METRICS_PORT: METRICS_PORT === undefined ? null : Number(METRICS_PORT) };
  return startProgram(whole).then(
    async (program) => {
      await program.stop();
      return 'it started';
    },
    (error: unknown) => startFailure(error, where),
  );
}

test('a port that is taken is told by the variable that named it', async () => {
  const sentence = (name: string): string =>
    `Roughmix could not start: ${name}: 127.0.0.1:${taken} cannot be listened on, another program listens there (EADDRINUSE)`;
  expect(await failure({ PORT: String(taken) })).toBe(sentence('PORT'));
  expect(await failure({ METRICS_PORT: String(taken) })).toBe(sentence('METRICS_PORT'));
});

test('a folder or a file that cannot be used is told by the variable that named it', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  await mkdir(join(folder, 'list'));
  expect(await failure({ DATA_DIR: file })).toBe(`Roughmix could not start: DATA_DIR: ${file} cannot be used (EEXIST)`);
  expect(await failure({ DATA_DIR: join(file, 'data') })).toBe(`Roughmix could not start: DATA_DIR: ${join(file, 'data')} cannot be used (ENOTDIR)`);
  expect(await failure({ ERASURES_FILE: join(folder, 'list') })).toBe(
    `Roughmix could not start: ERASURES_FILE: ${join(folder, 'list')} cannot be used (EISDIR)`,
  );
});

test('what is known to be wrong is in the sentence, and of damage what to do', () => {
  const where = { DATA_DIR: '/data', ERASURES_FILE: null, HOST: '127.0.0.1', METRICS_PORT: null };
  expect(startFailure(new StoreAway('MongoDB is away'), where)).toBe('Roughmix could not start: MongoDB is away');
  expect(startFailure(new StoreDamaged('/data/log.db is damaged', '/data/log.db', 7), where)).toBe(
    'Roughmix could not start: /data/log.db is damaged. Nothing was changed; "npm run -s operate -- events verify" tells more.',
  );
});

test('an argument that nobody knows starts nothing', () => {
  expect([programArguments([]), programArguments(['--demo'])]).toEqual([
    { demo: false, instead: null },
    { demo: true, instead: null },
  ]);
  expect(programArguments(['--help']).instead).toMatchObject({ code: 0, text: expect.stringMatching(/^usage: node backend\/dist\/main\.js \[--demo\]/) });
  expect(programArguments(['--demo', '--prot=80']).instead).toMatchObject({ code: 2, text: expect.stringMatching(/^there is no argument "--prot=80"\nusage/) });
});
