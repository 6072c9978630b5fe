import { existsSync, readFileSync } from 'node:fs';

/** What a stage without numbers of its own counts as. */
export const one = (passed) => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 });

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * The sum of several counts.
 * @param {readonly Counts[]} counts
 * @returns {Counts}
 */
export const sum = (counts) =>
  counts.reduce((all, count) => ({ passed: all.passed + count.passed, failed: all.failed + count.failed, skipped: all.skipped + count.skipped }), {
    passed: 0,
    failed: 0,
    skipped: 0,
  });

/** `3 passed, 0 failed`, with what was skipped when something was. */
export const say = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

const isSkipped = ({ status }) => status === 'pending' || status === 'todo';

/**
 * The numbers of a jest run. A suite that could not run counts as a failure; so does a run that left no report, or that
 * failed without naming a test, and a skipped test in a file that must run whole.
 * @param {(file: string) => boolean} mustRunWhole
 */
export function countJest(reportFile, { exit, late }, mustRunWhole = () => false) {
  const clean = exit === 0 && !late;
  if (!existsSync(reportFile)) return one(false);
  const report = JSON.parse(readFileSync(reportFile, 'utf8'));
  const left = report.testResults.filter(({ name }) => mustRunWhole(name)).flatMap(({ assertionResults }) => assertionResults.filter(isSkipped)).length;
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  const skipped = report.numPendingTests + report.numTodoTests - left;
  return { passed: report.numPassedTests, failed: (clean ? failed : Math.max(failed, 1)) + left, skipped };
}

/** The numbers that a fault run left; a run that left none, or ended badly without naming a fault, counts as a failure. */
export function countFaults(reportFile, { exit, late }) {
  if (!existsSync(reportFile)) return one(false);
  const { passed, failed, skipped } = JSON.parse(readFileSync(reportFile, 'utf8'));
  return { passed, failed: exit === 0 && !late ? failed : Math.max(failed, 1), skipped };
}
