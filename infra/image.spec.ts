import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { composeOf } from './compose/compose-files.js';
import { environmentProblems, healthPaths, imageEnvironment, absolutePath, textOf } from './test/deployment-files.js';

const dockerfile = textOf('infra/Dockerfile');
const linesOf = (instruction: string): readonly string[] => [...dockerfile.matchAll(new RegExp(`^${instruction} (.*)$`, 'gm'))].map(([, rest = '']) => rest);

test('is based on a single, supported version of Node', () => {
  const images = linesOf('FROM').map((line) => line.split(' as ')[0]?.split(' AS ')[0] ?? '');
  const stages = linesOf('FROM').flatMap((line) => / AS (\w+)$/.exec(line)?.[1] ?? []);
  const [first = '', ...more] = images.filter((image) => !stages.includes(image));
  expect(more).toEqual([]);
  expect(first).toMatch(/^node:2[4-9]\.\d+\.\d+-[a-z]+-slim$/);
});

test('installs from the lock file, and only production dependencies for the server', () => {
  const installs = [...dockerfile.matchAll(/npm (?:ci|install|i)\b[^\n\\]*/g)].map(([command]) => command.trim());
  expect(installs).toEqual(['npm ci --no-audit --no-fund', 'npm ci --omit=dev -w contracts -w backend --no-audit --no-fund']);
});

test('copies existing files, and starts a file that is built', () => {
  const sources = linesOf('COPY')
    .filter((line) => !line.startsWith('--from'))
    .flatMap((line) => line.split(' ').slice(0, -1));
  expect(sources.filter((source) => !existsSync(absolutePath(source)))).toEqual([]);
  const [main = ''] = /backend\/dist\/[\w/]+\.js/.exec(linesOf('CMD')[0] ?? '') ?? [];
  expect(existsSync(absolutePath(main.replace('dist', 'src').replace(/js$/, 'ts')))).toBe(true);
});

test('runs as an unprivileged user, sets only known variables, and checks an existing health path', () => {
  expect(linesOf('USER')).toEqual(['1000:1000']);
  expect(environmentProblems(imageEnvironment())).toEqual([]);
  expect(linesOf('EXPOSE')).toEqual([`${imageEnvironment()['PORT']} 9464`]);
  const [path = ''] = /\/health\/\w+/.exec(dockerfile) ?? [];
  expect(healthPaths()).toContain(path);
});

test('leaves out packages, build output and data of this machine', () => {
  expect(textOf('.dockerignore').trim().split('\n')).toEqual(expect.arrayContaining(['**/node_modules', '**/dist', '.git', 'data', '.env']));
});

test('carries no specs, source maps, types or TypeScript, and files that any user can read', () => {
  const [clean = ''] = /find \*\/dist [^\n]+/.exec(dockerfile) ?? [];
  for (const pattern of ["-name '*.spec.js'", "-name '*.contract.js'", "-path '*/testing/*'", "-name '*.d.ts'", "-name '*.map'"])
    expect(clean).toContain(pattern);
  expect(dockerfile).toContain('rm -rf node_modules/typescript node_modules/@typescript ');
  expect(dockerfile).toContain('\nRUN chmod -R a+rX .\n\nFROM node\n');
});

test('is tried as embedded.yml runs it', () => {
  const [app] = Object.values(composeOf('infra/compose/embedded.yml').services);
  const [run = ''] = /docker run (?:[^\n]*\\\n)+[^\n]*/.exec(textOf('infra/try-image.sh')) ?? [];
  expect([app?.init, app?.read_only]).toEqual([true, true]);
  const options = [
    '--init',
    '--read-only',
    `--tmpfs ${app?.tmpfs?.join()}`,
    `--cap-drop ${app?.cap_drop?.join()}`,
    `--security-opt ${app?.security_opt?.join()}`,
  ];
  for (const option of [...options, `--memory ${app?.mem_limit}`]) expect(run).toContain(` ${option} `);
  const mounted = [...run.matchAll(/-v "\$name-(\w+):(\S+)"/g)].map(([, volume, target]) => `${volume}:${target}`);
  expect(mounted).toEqual(app?.volumes);
});
