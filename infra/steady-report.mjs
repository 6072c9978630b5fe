import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { formatCounts, killedSuites } from './test/counts.mjs';

/** The parts of the gate that can be run again and again, in the order in which they run. */
export const PARTS = ['specs', 'live', 'contracts', 'journeys', 'faults'];

/** The named parts, each once, in their order. @throws for an unknown name, and for none */
export function partsIn(names) {
  const unknown = names.filter((name) => !PARTS.includes(name));
  if (unknown.length > 0 || names.length === 0)
    throw new Error(`name some of these parts: ${PARTS.join(', ')}${unknown.map((name) => `; not ${name}`).join('')}`);
  return PARTS.filter((name) => names.includes(name));
}

/** The failed tests in a report of jest, each with its file, and the suites that could not run. */
function failedTests(file) {
  const cut = killedSuites(file);
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => `${basename(name)}: ${fullName}`);
    if (failed.length > 0 || status !== 'failed') return failed;
    return [`${basename(name)}: ${cut.includes(name) ? 'its process was killed' : 'could not run'}`];
  });
}

/** What failed in one run of a part, by the reports that its stage left in a folder. */
export function failuresIn(folder, name) {
  const files = [`${name}.json`, `${name}-again.json`].map((file) => join(folder, file)).filter(existsSync);
  if (files.length === 0) return ['no report'];
  return files.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).failures ?? failedTests(file));
}

/**
 * The lines of a table: for each part its runs, then how often each test failed.
 * @param {readonly { name: string, counts: object, seconds: number, failures: readonly string[] }[]} results in the order of the runs
 */
export function report(results) {
  const parts = PARTS.filter((part) => results.some(({ name }) => name === part));
  return parts.flatMap((part) => {
    const runs = results.filter(({ name }) => name === part);
    const times = new Map();
    for (const failure of runs.flatMap(({ failures }) => failures)) times.set(failure, (times.get(failure) ?? 0) + 1);
    return [
      ...runs.map(({ counts, seconds }, at) => `${part.padEnd(12)}run ${at + 1}  ${formatCounts(counts)} (${seconds.toFixed(1)} s)`),
      ...[...times].map(([failure, count]) => `${' '.repeat(12)}failed in ${count} of ${runs.length}: ${failure}`),
    ];
  });
}
