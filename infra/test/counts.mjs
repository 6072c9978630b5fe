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

/**
 * The total of a run. Of a stage that repeats another one's tests only the failures count, since each promise counts once.
 * @param {readonly (Counts & { isRepeat?: boolean })[]} results
 */
export const totalOf = (results) => sum(results.map((result) => (result.isRepeat ? { passed: 0, failed: result.failed, skipped: 0 } : result)));

/** `3 passed, 0 failed`, with what was skipped when something was. */
export const say = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

const isSkipped = ({ status }) => status === 'pending' || status === 'todo';

const reportIn = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null);

/** How jest tells that a suite's process ended by a signal: killed from outside, or aborted by Node itself. */
const CUT_OFF = /A jest worker process .* was terminated by another process/;

/** The suites of a jest run that said nothing because their process was cut off under them. */
export const cutOffSuites = (reportFile) =>
  (reportIn(reportFile)?.testResults ?? []).filter(({ message }) => CUT_OFF.test(message ?? '')).map(({ name }) => name);

/**
 * The numbers of a jest run. A suite that could not run counts as a failure; so does a run that left no report, or that
 * failed without naming a test, and a skipped test in a file that must run whole.
 * @param {string} reportFile
 * @param {{ exit: number | null, late: boolean }} ended
 * @param {(file: string) => boolean} mustRunWhole
 * @param {number} leftOut so many suites were cut off and count where they were run again
 */
export function countJest(reportFile, ended, mustRunWhole = () => false, leftOut = 0) {
  const clean = (ended.exit === 0 || leftOut > 0) && !ended.late;
  const report = reportIn(reportFile);
  if (report === null) return one(false);
  const left = report.testResults.filter(({ name }) => mustRunWhole(name)).flatMap(({ assertionResults }) => assertionResults.filter(isSkipped)).length;
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites - leftOut;
  const skipped = report.numPendingTests + report.numTodoTests - left;
  return { passed: report.numPassedTests, failed: (clean ? failed : Math.max(failed, 1)) + left, skipped };
}

/** The numbers that a fault run left; a run that left none, or ended badly without naming a fault, counts as a failure. */
export function countFaults(reportFile, { exit, late }) {
  const report = reportIn(reportFile);
  if (report === null) return one(false);
  const { passed, failed, skipped } = report;
  return { passed, failed: exit === 0 && !late ? failed : Math.max(failed, 1), skipped };
}
