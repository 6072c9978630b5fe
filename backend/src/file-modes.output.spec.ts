import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roughmix-modes-'));
  dataDir = join(folder, 'data');
});
afterEach(() => rm(folder, { recursive: true }));

/** Starts the program on the data folder and stops it again. @returns its log */
async function startAndStop(): Promise<readonly { readonly msg?: string; readonly path?: string; readonly mode?: string }[]> {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, ERASURES_FILE: join(folder, 'erasures.ndjson'), PORT: '0', LOG_FORMAT: 'json' };
  const program = spawn('sh', ['-c', 'umask 022; exec "$0" "$@"', process.execPath, MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  const closed = once(program, 'close');
  for await (const text of program.stdout.setEncoding('utf8')) {
    output += String(text);
    if (output.includes('listening on')) program.kill();
  }
  await closed;
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as object);
}

/** The paths in the data folder that others than its owner may access. */
async function loosePaths(): Promise<readonly string[]> {
  const paths = ['.', ...(await readdir(dataDir, { recursive: true }))];
  const modes = await Promise.all(paths.map(async (path) => ((await stat(join(dataDir, path))).mode & 0o077) !== 0));
  return paths.filter((_, at) => modes[at]);
}
const tightened = (lines: Awaited<ReturnType<typeof startAndStop>>): readonly unknown[] =>
  lines.filter(({ msg }) => msg === 'other users of this machine could access this path: its mode was changed').map(({ path, mode }) => [path, mode]);

test('nothing in the data folder is accessible to other users, even if the folder was, and whatever umask the program was started with', async () => {
  await mkdir(dataDir, { mode: 0o755 });
  expect(tightened(await startAndStop())).toEqual([[dataDir, '755']]);
  expect(await loosePaths()).toEqual([]);
  expect(await readdir(dataDir)).toEqual(expect.arrayContaining(['blobs', 'log.db', 'read.db', 'vault.db']));
});

test('files and folders that an earlier version left readable are closed at the start, each with a line in the log', async () => {
  await mkdir(join(dataDir, 'blobs'), { recursive: true, mode: 0o700 });
  await writeFile(join(dataDir, 'read.db'), '');
  await chmod(join(dataDir, 'read.db'), 0o644);
  await chmod(join(dataDir, 'blobs'), 0o755);
  expect(tightened(await startAndStop())).toEqual([
    [join(dataDir, 'blobs'), '755'],
    [join(dataDir, 'read.db'), '644'],
  ]);
  expect(await loosePaths()).toEqual([]);
});
