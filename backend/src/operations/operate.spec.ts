import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { operate } from '../testing/operate.js';

interface CliResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const run = (...args: readonly string[]): Promise<CliResult> => runWith({}, ...args);

async function runWith(environment: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<CliResult> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const code = await operate(args, environment, { out, err, signal: new AbortController().signal });
  out.end();
  err.end();
  return { code, out: await text(out), err: await text(err) };
}

describe("the operator's command line", () => {
  test('without an operation it lists all operations', async () => {
    const { code, out } = await run();
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toBe('usage: npm run -s operate -- <operation>');
  });

  test('an unknown operation is an error that lists all operations', async () => {
    const { code, out, err } = await run('events', 'forget');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.split('\n').slice(0, 2)).toEqual(['unknown operation "events forget"', 'usage: npm run -s operate -- <operation>']);
    expect(err).not.toContain('reactors');
  });

  test('help equals --help', async () => {
    expect(await run('help', 'users', 'erase')).toEqual(await run('users', 'erase', '--help'));
    expect(await run('help')).toEqual(await run('--help'));
  });

  test.each([
    [['events', 'verify', 'now'], "Unexpected argument 'now'"],
    [['backup', '--form', 'x'], "Unknown option '--form'"],
    [['backup', '--to'], "Option '--to <value>' argument missing"],
    [['backup', 'verify', '--to', 'x'], "Unknown option '--to'"],
  ])('%j is reported with the usage', async (args, problem) => {
    const { code, out, err } = await run(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.split('\n')[0]).toContain(problem);
    expect(err).toContain(`usage: npm run -s operate -- ${args[0]}`);
  });

  test('an impossible request is reported in one line and leaves nothing behind', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'roughmix-operate-'));
    const data = join(folder, 'mistyped');
    for (const args of [
      ['users', 'erase', 'a@b.c'],
      ['files', 'sweep'],
      ['projections', 'rebuild', '--all'],
      ['reactors', 'replay', 'x'],
      ['projections', 'status'],
    ])
      expect(await runWith({ DATA_DIR: data }, ...args)).toEqual({ code: 2, out: '', err: `no log in ${data}: set DATA_DIR to the data folder\n` });
    expect((await runWith({ DATA_DIR: folder }, 'backup', '--to', join(folder, 'backups'))).err).toContain('is inside the data folder');
    for (const keep of ['0', '-1', 'all'])
      expect(await runWith({}, 'backup', '--to', folder, `--keep=${keep}`)).toEqual({
        code: 2,
        out: '',
        err: 'backup: --keep takes the number of backups to keep, at least 1\n',
      });
    expect((await runWith({}, 'backup', 'verify', '--from', folder)).err).toBe(`backup verify: ${folder} contains no backup\n`);
    const file = await runWith({ DATA_DIR: folder }, 'restore', '--from', '/dev/null');
    expect({ code: file.code, lines: file.err.split('\n').length }).toEqual({ code: 1, lines: 2 });
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  test('settle reports what it needs before it contacts a server', async () => {
    const servers = {
      EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
      MONGO_URL: 'mongodb://127.0.0.1:1/',
      ADMIN_KEY: 'an-admin-key-9f2e71b04c',
      MASTER_KEY: 'a-master-key-51d09ae37b22',
    };
    expect(await runWith({}, 'settle')).toEqual({
      code: 2,
      out: '',
      err: 'settle: only for log and vault on servers (EVENTSTORE_URL and MONGO_URL); for a data folder use restore\n',
    });
    const list = join(tmpdir(), 'no-such-list.ndjson');
    const without = await runWith({ ...servers, ERASURES_FILE: list }, 'settle');
    expect({ code: without.code, out: without.out }).toEqual({ code: 2, out: '' });
    expect(without.err).toMatch(/^settle: ERASURES_FILE: .*no-such-list\.ndjson does not exist; it lists erased users/);
  });
});
