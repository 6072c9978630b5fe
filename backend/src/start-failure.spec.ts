import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isExpectedError, StartRefused } from './expected-errors.js';
import { ServiceUnavailable, StoreDamaged } from './platform/store-errors.js';
import { EmbeddedVault } from './platform/vault/embedded-vault.js';
import { buildName } from './platform/version.js';
import { programArguments } from './program-arguments.js';
import type { RunningProgram } from './running-program.js';
import { startFailure } from './start-failure.js';
import { compiled } from './testing/compiled.js';
import { freePort } from './testing/free-port.js';
import { REUSED_THREADS } from './testing/reused-threads.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

const ABOUT_THE_LIST = 'It lists erased users and must outlive the data and its backups: set ERASURES_FILE to a file that this user may write, outside of both';
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

/** The start failure of a program in this environment. */
async function failure(environment: NodeJS.ProcessEnv): Promise<string> {
  const whole = { DATA_DIR: join(folder, 'data'), ERASURES_FILE: join(folder, 'erasures.ndjson'), PORT: await freePort(), LOG_LEVEL: 'silent', ...environment };
  const { DATA_DIR = '', ERASURES_FILE, HOST = '127.0.0.1', METRICS_PORT } = whole as NodeJS.ProcessEnv;
  const where = { DATA_DIR, ERASURES_FILE: ERASURES_FILE ?? null, HOST, METRICS_PORT: METRICS_PORT === undefined ? null : Number(METRICS_PORT) };
  const program = await compiled<typeof import('./run.js')>('run.js');
  // It knows the classes of its own errors.
  const sentences = await compiled<typeof import('./start-failure.js')>('start-failure.js');
  return program.startProgram(whole).then(
    async (running) => {
      await running.stop();
      return 'it started';
    },
    (error: unknown) => sentences.startFailure(error, where),
  );
}

test('a port in use is reported with the variable that names it', async () => {
  const sentence = (name: string): string => `Roughmix could not start: ${name}: cannot listen on 127.0.0.1:${taken}, the port is in use (EADDRINUSE)`;
  expect(await failure({ PORT: String(taken) })).toBe(sentence('PORT'));
  expect(await failure({ METRICS_PORT: String(taken) })).toBe(sentence('METRICS_PORT'));
  expect(await readdir(folder)).toEqual([]);
});

test('an unusable folder or file is reported with the variable that names it', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  await mkdir(join(folder, 'list'));
  expect(await failure({ DATA_DIR: file })).toBe(`Roughmix could not start: DATA_DIR: ${file} cannot be used (EEXIST)`);
  expect(await failure({ DATA_DIR: join(file, 'data') })).toBe(`Roughmix could not start: DATA_DIR: ${join(file, 'data')} cannot be used (ENOTDIR)`);
  expect(await failure({ ERASURES_FILE: join(folder, 'list') })).toBe(
    `Roughmix could not start: ERASURES_FILE: ${join(folder, 'list')} cannot be used (EISDIR). ${ABOUT_THE_LIST}`,
  );
});

describe('a part that cannot be closed', () => {
  /** The program with a loop that cannot be stopped, on the spec's data folder. */
  const startOn = async (PORT: string): Promise<RunningProgram> => {
    const { startProgram } = await compiled<typeof import('./run.js')>('run.js');
    const { withNeverStops } = await compiled<typeof import('./testing/never-stops.js')>('testing/never-stops.js');
    const environment = { DATA_DIR: join(folder, 'data'), ERASURES_FILE: join(folder, 'erasures.ndjson'), PORT, LOG_LEVEL: 'silent' };
    return startProgram(environment, { slices: withNeverStops() });
  };
  const expectClosed = async (): Promise<void> => expect(await failure({})).toBe('it started');

  test('does not keep the others open when the program stops', async () => {
    const program = await startOn(await freePort());
    await expect(program.stop()).rejects.toThrow('cannot close');
    await expectClosed();
  });

  test('does not replace the reason why the program could not start', async () => {
    await expect(startOn(String(taken))).rejects.toThrow('EADDRINUSE');
    await expectClosed();
  });
});

test('a list of erasures that cannot be created is reported with what to set', () => {
  const where = { DATA_DIR: '/srv/mix/data', ERASURES_FILE: null, HOST: '127.0.0.1', METRICS_PORT: null };
  const error = Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'open', path: '/srv/mix/data.erasures.ndjson' });
  expect(startFailure(error, where)).toBe(`Roughmix could not start: ERASURES_FILE: /srv/mix/data.erasures.ndjson cannot be used (EACCES). ${ABOUT_THE_LIST}`);
});

test('an unavailable store is reported by its message; damage, by its message and what to do', () => {
  const where = { DATA_DIR: '/data', ERASURES_FILE: null, HOST: '127.0.0.1', METRICS_PORT: null };
  expect(startFailure(new ServiceUnavailable('MongoDB is unavailable'), where)).toBe('Roughmix could not start: MongoDB is unavailable');
  expect(startFailure(new StoreDamaged('/data/log.db is damaged', '/data/log.db', 7), where)).toBe(
    'Roughmix could not start: /data/log.db is damaged. Nothing was changed; "npm run -s operate -- events verify" shows the details.',
  );
});

test('a log with events of a newer program is refused before anything is created', async () => {
  const data = join(folder, 'data');
  await mkdir(data);
  const vault = await EmbeddedVault.open({ file: join(data, 'vault.db'), threads: REUSED_THREADS });
  await vault.declare({ name: 'written-types' });
  await vault.put('written-types', 'SongSnoozed', { version: '9.9.9' });
  await vault.close();
  const sentence = 'Roughmix could not start: the log was written by a newer Roughmix: 9.9.9 wrote events of the type SongSnoozed, which this version, ';
  expect(await failure({})).toMatch(new RegExp(`^${sentence}[0-9.]+( \\([0-9a-f]+\\))?, does not know; nothing was changed\\. [^.]+\\.md, "Going back"\\)$`));
  expect(await readdir(data)).toEqual(expect.not.arrayContaining(['admin.key', 'master.key']));
});

test('only errors that an operator can act on are expected; others keep their stack', () => {
  const refused = Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE', syscall: 'listen' });
  expect([new ServiceUnavailable('away'), new StoreDamaged('damaged', 'log.db', 0), new StartRefused('no role'), refused].map(isExpectedError)).toEqual(
    Array.from({ length: 4 }, () => true),
  );
  expect([new TypeError('x is undefined'), new Error('unknown'), 'text'].map(isExpectedError)).toEqual([false, false, false]);
});

test('--help, --version and an unknown argument start nothing', () => {
  expect([programArguments([]), programArguments(['--demo'])]).toEqual([
    { demo: false, exit: null },
    { demo: true, exit: null },
  ]);
  expect(programArguments(['--help']).exit).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^usage: node backend\/dist\/main\.js \[--demo \| --version\]/),
  });
  expect(programArguments(['--version']).exit).toEqual({ code: 0, text: `Roughmix ${buildName()}` });
  expect(programArguments(['--demo', '--prot=80']).exit).toMatchObject({ code: 2, text: expect.stringMatching(/^unknown argument "--prot=80"\nusage/) });
});

describe('the program as a process', () => {
  let running: ChildProcess | undefined;
  afterEach(async () => {
    if (running === undefined || running.exitCode !== null) return;
    running.kill('SIGTERM');
    await once(running, 'exit');
    running = undefined;
  });

  const environment = (changes: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
    PATH: process.env.PATH,
    DATA_DIR: join(folder, 'data'),
    ERASURES_FILE: join(folder, 'erasures.ndjson'),
    PORT: '0',
    ...changes,
  });
  const start = (changes: NodeJS.ProcessEnv) => spawn(process.execPath, [MAIN], { env: environment(changes), stdio: ['ignore', 'pipe', 'pipe'] });

  async function outcome(changes: NodeJS.ProcessEnv) {
    const program = start(changes);
    const [stdout, stderr] = await Promise.all([text(program.stdout), text(program.stderr), once(program, 'close')]);
    return { code: program.exitCode, stdout, stderr };
  }
  /** Starts the program and returns its output up to this text. */
  async function outputOf(changes: NodeJS.ProcessEnv, last: string): Promise<string> {
    running = start(changes);
    let output = '';
    for await (const chunk of running.stdout ?? []) {
      output += String(chunk);
      if (output.includes(last)) break;
    }
    return output;
  }

  test('exits with 1 and one sentence if its port is in use', async () => {
    expect(await outcome({ PORT: String(taken) })).toEqual({
      code: 1,
      stdout: expect.not.stringContaining('EADDRINUSE'),
      stderr: `Roughmix could not start: PORT: cannot listen on 127.0.0.1:${taken}, the port is in use (EADDRINUSE)\n`,
    });
  });

  test('exits with 1 and one sentence if another process has its data folder open', async () => {
    await outputOf({}, 'Roughmix is open at');
    expect(await outcome({})).toEqual({
      code: 1,
      stdout: '',
      stderr: `Roughmix could not start: ${join(folder, 'data', 'log.db')} is open in another process\n`,
    });
  });

  test('exits with 2 and one sentence for a wrong variable, and lists several', async () => {
    expect(await outcome({ PORT: 'eighty' })).toEqual({ code: 2, stdout: '', stderr: 'Invalid setting: PORT must be a whole number from 0 to 65535\n' });
    expect(await outcome({ PORT: 'eighty', LOG_FORMAT: 'xml' })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Invalid settings:\n  PORT must be a whole number from 0 to 65535\n  LOG_FORMAT must be one of auto, json, pretty\n',
    });
  });

  test.each<readonly [format: string, line: RegExp]>([
    ['auto', /^\{"level":40,.*"msg":"PUBLIC_URI is unknown; did you mean PUBLIC_URL\?"\}$/m],
    ['json', /^\{"level":40,.*"msg":"PUBLIC_URI is unknown; did you mean PUBLIC_URL\?"\}$/m],
    ['pretty', /^\[\d\d:\d\d:\d\d\.\d{3}\] WARN: PUBLIC_URI is unknown; did you mean PUBLIC_URL\?$/m],
  ])('with LOG_FORMAT=%s and its output piped, logs lines of that format', async (format, line) => {
    expect(await outputOf({ LOG_FORMAT: format, PUBLIC_URI: 'http://mix.example' }, '\n')).toMatch(line);
  });
});
