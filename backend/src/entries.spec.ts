import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { nodeTooOld } from './node-version.js';

const facts = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
};

test('versions of Node before the one in package.json are refused in one sentence', () => {
  const oldest = facts.engines.node.replace('>=', '');
  expect(nodeTooOld('18.20.8')).toBe(`Roughmix needs Node ${oldest} or newer; this is v18.20.8. See https://nodejs.org`);
  expect(['20.18.3', '20.19.0', '20.20.1', '22.0.0', '24.21.0'].map((version) => nodeTooOld(version) === null)).toEqual([false, true, true, true, true]);
});

test.each(['main', 'operate'])('%s loads nothing before it has checked the version', (entry) => {
  const text = readFileSync(`backend/src/${entry}.ts`, 'utf8');
  expect([...text.matchAll(/^import .* from '(.*)';$/gm)].map(([, from]) => from)).toEqual(['./node-version.js']);
  expect(text.indexOf('await import(')).toBeGreaterThan(text.indexOf('nodeTooOld('));
});

test('npm hands its process over to the program, so that the signals of a supervisor reach it', () => {
  const { start, operate, move } = facts.scripts;
  expect([start, operate, move]).toEqual([
    'exec node backend/start.mjs main',
    'exec node backend/start.mjs operate',
    'exec node backend/start.mjs operate move',
  ]);
});

describe('what npm runs', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roughmix-entries-'));
    for (const path of ['backend/dist', 'contracts/dist', 'node_modules']) await mkdir(join(folder, path), { recursive: true });
    await copyFile('backend/start.mjs', join(folder, 'backend/start.mjs'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const run = (...args: string[]): Promise<readonly [code: number, out: string, err: string]> =>
    new Promise((resolve) => {
      const child = execFile(process.execPath, [join(folder, 'backend/start.mjs'), ...args], (_error, out, err) => resolve([child.exitCode ?? -1, out, err]));
    });

  test('says in one sentence that the program is not built', async () => {
    for (const entry of ['main', 'operate'])
      expect(await run(entry)).toEqual([1, '', `Roughmix is not built (backend/dist/${entry}.js is missing): run npm ci && npm run build\n`]);
  });

  test('passes its arguments on to the built program', async () => {
    await writeFile(join(folder, 'backend/dist/operate.js'), 'process.stdout.write(JSON.stringify(process.argv.slice(2)));');
    expect(await run('operate', 'backup', '--to', '/backups')).toEqual([0, '["backup","--to","/backups"]', '']);
  });
});
