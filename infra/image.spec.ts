import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { complaintsAbout, healthPaths, imageEnvironment, placeOf, textOf } from './test/deployment-files.js';

const dockerfile = textOf('infra/Dockerfile');
const linesOf = (instruction: string): readonly string[] => [...dockerfile.matchAll(new RegExp(`^${instruction} (.*)$`, 'gm'))].map(([, rest = '']) => rest);

test('begins at one version of Node, which is new enough', () => {
  const images = linesOf('FROM').map((line) => line.split(' as ')[0]?.split(' AS ')[0] ?? '');
  const stages = linesOf('FROM').flatMap((line) => / AS (\w+)$/.exec(line)?.[1] ?? []);
  const [first = '', ...more] = images.filter((image) => !stages.includes(image));
  expect(more).toEqual([]);
  expect(first).toMatch(/^node:2[4-9]\.\d+\.\d+-[a-z]+-slim$/);
});

test('installs what the lock file says, and for the server nothing more', () => {
  const installs = [...dockerfile.matchAll(/npm (?:ci|install|i)\b[^\n]*/g)].map(([command]) => command);
  expect(installs).toEqual(['npm ci --no-audit --no-fund', 'npm ci --omit=dev -w contracts -w backend --no-audit --no-fund']);
});

test('copies what is there, and starts what is built', () => {
  const sources = linesOf('COPY')
    .filter((line) => !line.startsWith('--from'))
    .flatMap((line) => line.split(' ').slice(0, -1));
  expect(sources.filter((source) => !existsSync(placeOf(source)))).toEqual([]);
  const [main = ''] = /backend\/dist\/[\w/]+\.js/.exec(linesOf('CMD')[0] ?? '') ?? [];
  expect(existsSync(placeOf(main.replace('dist', 'src').replace(/js$/, 'ts')))).toBe(true);
});

test('runs as nobody special, sets what the program reads, and asks for its health where that is told', () => {
  expect(linesOf('USER')).toEqual(['1000:1000']);
  expect(complaintsAbout(imageEnvironment())).toEqual([]);
  expect(linesOf('EXPOSE')).toEqual([`${imageEnvironment()['PORT']} 9464`]);
  const [path = ''] = /\/health\/\w+/.exec(dockerfile) ?? [];
  expect(healthPaths()).toContain(path);
});

test('leaves out what was installed, built or kept on this machine', () => {
  expect(textOf('.dockerignore').trim().split('\n')).toEqual(expect.arrayContaining(['**/node_modules', '**/dist', '.git', 'data', '.env']));
});
