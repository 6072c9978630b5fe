import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';

interface Report {
  readonly testResults: readonly { readonly name: string; readonly status: string; readonly message: string }[];
}

const rootDir = fileURLToPath(new URL('../../../', import.meta.url));
let report: Report;

beforeAll(async () => {
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', '--json', '-w', '1'];
  const args = [...jest, '--selectProjects', 'node', '--testMatch', '<rootDir>/backend/src/testing/*.suite.ts'];
  const output = await new Promise<string>((resolve) => execFile(process.execPath, args, { cwd: rootDir }, (_failed, stdout) => resolve(stdout)));
  report = JSON.parse(output.slice(output.indexOf('{"num'))) as Report;
}, 120_000);

const messageOf = (suite: string): string | undefined => report.testResults.find(({ name, status }) => name.endsWith(suite) && status === 'failed')?.message;

test('a suite that does not stop its program fails, and the program ends with it', () => {
  expect(messageOf('/left-running.suite.ts')).toContain('the suite did not stop 1 of its programs');
});

test('an error in the program that nothing catches fails the suite', () => {
  expect(messageOf('/failing-inside.suite.ts')).toContain('the collection undeclared is not declared');
});
