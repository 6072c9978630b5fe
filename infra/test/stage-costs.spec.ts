import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { runCommand } from './run-command.mjs';
import { childrenSeconds, slowestSuites } from './stage-costs.mjs';

test('the slowest suites of a run are listed, slowest first', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'costs-'));
  const report = join(folder, 'report.json');
  const suite = (name: string, seconds: number) => ({ name: resolve(name), startTime: 1_000, endTime: 1_000 + seconds * 1_000 });
  await writeFile(report, JSON.stringify({ testResults: [suite('backend/a.spec.ts', 1), suite('page/b.spec.ts', 12.34), suite('backend/c.spec.ts', 3)] }));
  expect(slowestSuites(report, 2)).toEqual(['  12.3 s  page/b.spec.ts', '   3.0 s  backend/c.spec.ts']);
  expect(slowestSuites(join(folder, 'none.json'))).toEqual([]);
  await rm(folder, { recursive: true });
});

test("processor time is that of a process's children and theirs, and unknown without /proc", () => {
  const stat = '7 (node (x) y) S 1 7 7 0 -1 4194304 5000 9000 0 0 120 30 4567 133 20 0 11 0 1234 1000 200';
  expect(childrenSeconds(stat)).toBe(47);
  expect(childrenSeconds(null)).toBeNull();
});

test('the processor time of a stage counts the processes of its processes', async () => {
  if (!existsSync('/proc/self/stat')) return;
  const before = childrenSeconds() ?? 0;
  const busy = 'while (process.cpuUsage().user < 300_000);';
  await runCommand(['sh', '-c', `${process.execPath} -e '${busy}'; true`], { limitMs: 20_000 });
  expect((childrenSeconds() ?? 0) - before).toBeGreaterThan(0.29);
});
