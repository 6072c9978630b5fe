import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const STAT = '/proc/self/stat';
/** Ticks in which Linux counts processor time for programs, whatever its kernel's own. */
const TICKS = 100;

/**
 * Seconds of processor time of this process's ended children and of theirs, null where the system does not tell. Of those that were killed
 * with their parent, it knows nothing.
 * @param {string | null} stat the line of /proc/self/stat
 */
export function childrenSeconds(stat = existsSync(STAT) ? readFileSync(STAT, 'utf8') : null) {
  if (stat === null) return null;
  // The program's name may hold spaces and parentheses; the third field is the first one after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}

/**
 * The slowest suites of a jest run, as lines.
 * @param {string} reportFile
 */
export function slowestSuites(reportFile, count = 10) {
  if (!existsSync(reportFile)) return [];
  const { testResults } = JSON.parse(readFileSync(reportFile, 'utf8'));
  return testResults
    .map(({ name, startTime, endTime }) => ({ name: relative('.', name), seconds: (endTime - startTime) / 1_000 }))
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, count)
    .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${name}`);
}
