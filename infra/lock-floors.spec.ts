import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { INSTALL_SCRIPTS, isBelow, isBelowFloor, problemsOf } from './lock-floors.mjs';

interface Entry {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
  readonly engines?: { readonly node?: string };
}
interface Lock {
  readonly packages: Readonly<Record<string, Entry>>;
}
type Floors = Readonly<Record<string, { readonly least: readonly string[]; readonly advisories: readonly string[]; readonly why: string }>>;

const read = async (file: string): Promise<unknown> => JSON.parse(await readFile(fileURLToPath(new URL(file, import.meta.url)), 'utf8')) as unknown;
const lock = (await read('../package-lock.json')) as Lock;
const floors = (await read('lock-floors.json')) as Floors;

describe('package-lock.json', () => {
  test('has no vulnerable version, no package without a hash or from elsewhere, and no unknown install script', () => {
    expect(problemsOf(lock, floors)).toEqual([]);
    expect(Object.keys(lock.packages).length).toBeGreaterThan(500);
  });

  test('comes with a decision on every install script, and the one that counts installations is off for every version of npm', async () => {
    const { allowScripts, scarfSettings } = (await read('../package.json')) as { readonly allowScripts: object; readonly scarfSettings: object };
    expect(Object.keys(allowScripts)).toEqual(Object.keys(INSTALL_SCRIPTS));
    expect([allowScripts, scarfSettings]).toEqual([expect.objectContaining({ '@scarf/scarf': false }), { enabled: false }]);
  });

  test('contains every package that has a floor or an allowed script', () => {
    const names = new Set(Object.keys(lock.packages).map((place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)));
    expect([...Object.keys(floors), ...Object.keys(INSTALL_SCRIPTS)].filter((name) => !names.has(name))).toEqual([]);
  });

  test.each<[what: string, place: string, change: Partial<Entry>, problem: RegExp]>([
    ['a copy below its floor', 'node_modules/ws', { version: '8.17.0' }, /^node_modules\/ws: 8\.17\.0 is below .*GHSA-3h5v-q93c-6h6q/],
    ['a nested copy below its floor', 'node_modules/engine.io/node_modules/ws', { version: '7.5.9' }, /engine\.io\/node_modules\/ws: 7\.5\.9 is below/],
    ['a copy without a hash', 'node_modules/pino', { version: '10.0.0', integrity: '' }, /^node_modules\/pino: no hash$/],
    ['a weak hash', 'node_modules/pino', { version: '10.0.0', integrity: 'sha1-x' }, /^node_modules\/pino: no hash$/],
    ['a copy of a repository', 'node_modules/pino', { version: 'git+ssh://git@host.example/x.git#main' }, /is not a registry version$/],
    ['another place', 'node_modules/pino', { version: '10.0.0', resolved: 'http://mirror.example/pino.tgz' }, /comes from http:/],
    ['a package for newer Node', 'node_modules/new-one', { engines: { node: '>=22' } }, /^node_modules\/new-one: needs Node >=22$/],
    ['a new script', 'node_modules/new-one', { version: '1.0.0', hasInstallScript: true }, /^node_modules\/new-one: runs a script while it is installed$/],
  ])('would be refused with %s', (_what, place, change, problem) => {
    const entry: Entry = { version: '1.0.0', integrity: 'sha512-AAAA', ...change };
    expect(problemsOf({ packages: { [place]: entry } }, floors)).toEqual([expect.stringMatching(problem)]);
  });
});

describe('a version', () => {
  test.each([
    ['1.2.3', '1.2.3', false],
    ['1.2.3', '1.2.4', true],
    ['1.2.10', '1.2.9', false],
    ['1.10.0', '1.9.9', false],
    ['2.0.0', '10.0.0', true],
    ['2.0.0-rc.1', '2.0.0', true],
    ['2.0.0', '2.0.0-rc.1', false],
    ['2.0.0+build', '2.0.0', false],
  ])('%s below %s: %s', (version, other, isIt) => expect(isBelow(version, other)).toBe(isIt));

  test.each<[version: string, least: readonly string[], isIt: boolean]>([
    ['2.0.1', ['1.1.12', '2.0.2', '4.0.1'], true],
    ['2.0.2', ['1.1.12', '2.0.2', '4.0.1'], false],
    ['3.9.9', ['1.1.12', '2.0.2', '4.0.1'], true],
    ['5.0.0', ['1.1.12', '2.0.2', '4.0.1'], false],
    ['0.1.0', ['1.1.12'], true],
  ])('%s below the floors %j: %s', (version, least, isIt) => expect(isBelowFloor(version, least)).toBe(isIt));
});
