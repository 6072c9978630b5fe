import { existsSync, readFileSync } from 'node:fs';

/** The counts of a stage that passes or fails as a whole. */
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
 * The total of a run. Stages that repeat another stage's tests add only their failures, so that each test counts once.
 * @param {readonly (Counts & { isRepeat?: boolean })[]} results
 */
export const totalOf = (results) => sum(results.map((result) => (result.isRepeat ? { passed: 0, failed: result.failed, skipped: 0 } : result)));

/** Formats counts: `3 passed, 0 failed`, and the skipped ones if there are any. */
export const formatCounts = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

const isSkipped = ({ status }) => status === 'pending' || status === 'todo';

const reportIn = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null);

/** Jest's message when a suite's process was ended by a signal: killed from outside, or aborted by Node. */
const KILLED = /A jest worker process .* was terminated by another process/;

/** The suites of a jest run without results, because their process was killed. */
export const killedSuites = (reportFile) =>
  (reportIn(reportFile)?.testResults ?? []).filter(({ message }) => KILLED.test(message ?? '')).map(({ name }) => name);

/**
 * The counts of a jest run. A suite that could not run counts as a failure, and so does a run without a report, a run that
 * failed without a failed test, and a skipped test in a file that must run completely.
 * @param {string} reportFile
 * @param {{ exit: number | null, timedOut: boolean }} ended
 * @param {(file: string) => boolean} mustRunWhole
 * @param {number} leftOut number of killed suites, which are counted in their second run
 */
export function countJest(reportFile, ended, mustRunWhole = () => false, leftOut = 0) {
  const clean = (ended.exit === 0 || leftOut > 0) && !ended.timedOut;
  const report = reportIn(reportFile);
  if (report === null) return one(false);
  const left = report.testResults.filter(({ name }) => mustRunWhole(name)).flatMap(({ assertionResults }) => assertionResults.filter(isSkipped)).length;
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites - leftOut;
  const skipped = report.numPendingTests + report.numTodoTests - left;
  return { passed: report.numPassedTests, failed: (clean ? failed : Math.max(failed, 1)) + left, skipped };
}

/** The counts of a fault run. A run without a report, or that failed without a failed fault, counts as a failure. */
export function countFaults(reportFile, { exit, timedOut }) {
  const report = reportIn(reportFile);
  if (report === null) return one(false);
  const { passed, failed, skipped } = report;
  return { passed, failed: exit === 0 && !timedOut ? failed : Math.max(failed, 1), skipped };
}
