// Rules for package-lock.json: no version with a known vulnerability, only packages from the registry with a hash and for the oldest Node that we
// support, and no install scripts except the ones below.
import semver from 'semver';
import { SUPPORTED } from './test/node-versions.mjs';

const [OLDEST_NODE] = SUPPORTED;

/** Packages with install scripts, and what these do. `allowScripts` in package.json says which of them run. */
export const INSTALL_SCRIPTS = {
  '@parcel/watcher': 'looks for its ready-made library; only for watching in development',
  '@photostructure/sqlite': 'looks for its ready-made library: the log, the read models, the vault',
  '@scarf/scarf': 'counts installations of swagger-ui-dist; disabled by scarfSettings in package.json',
  '@swc/core': 'looks for its ready-made compiler; only for specs',
  protobufjs: 'compares version schemes of its dependents, and only warns',
  'unrs-resolver': 'looks for its ready-made resolver; only for specs',
};

const REGISTRY = /^https:\/\/registry\.npmjs\.org\//;
const VERSION = /^(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** The parts of a version (semver.org, 11); a prerelease sorts before its release. */
function partsOf(version) {
  const [, major, minor, patch, early] = VERSION.exec(version) ?? [];
  if (major === undefined) throw new Error(`${version} is not a version`);
  return [Number(major), Number(minor), Number(patch), early === undefined ? 1 : 0];
}

/** Whether one version precedes another. */
export function isBelow(version, other) {
  const [mine, theirs] = [partsOf(version), partsOf(other)];
  const at = mine.findIndex((part, index) => part !== theirs[index]);
  return at >= 0 && mine[at] < theirs[at];
}

/** Whether a version is below the fixed version of its major line. Lines without a fix count as below, lines newer than all fixes do not. */
export function isBelowFloor(version, least) {
  const [major] = partsOf(version);
  const line = least.find((floor) => partsOf(floor)[0] === major);
  if (line !== undefined) return isBelow(version, line);
  return least.some((floor) => partsOf(floor)[0] > major);
}

/** Every installed copy of every package, including nested ones, without links to our workspaces. */
const copiesIn = (lock) =>
  Object.entries(lock.packages)
    .filter(([place, { link }]) => place.includes('node_modules/') && link !== true)
    .map(([place, entry]) => ({ place, name: entry.name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length), ...entry }));

/** @returns {string[]} one message per violation */
export function problemsOf(lock, floors) {
  return copiesIn(lock).flatMap(({ place, name, version, integrity, resolved, hasInstallScript, engines }) => {
    const problems = [];
    const floor = floors[name];
    if (!VERSION.test(version ?? '')) return [`${place}: ${version} is not a registry version`];
    if (floor !== undefined && isBelowFloor(version, floor.least))
      problems.push(`${place}: ${version} is below ${floor.least.join(', ')} (${floor.advisories.join(', ')}: ${floor.why})`);
    if (!/^sha512-[A-Za-z0-9+/=]+$/.test(integrity ?? '')) problems.push(`${place}: no hash`);
    if (resolved !== undefined && !REGISTRY.test(resolved)) problems.push(`${place}: comes from ${resolved}`);
    if (engines?.node !== undefined && !semver.satisfies(OLDEST_NODE, engines.node)) problems.push(`${place}: needs Node ${engines.node}`);
    if (hasInstallScript === true && !(name in INSTALL_SCRIPTS)) problems.push(`${place}: runs a script while it is installed`);
    return problems;
  });
}
