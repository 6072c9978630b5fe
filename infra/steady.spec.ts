import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { keepBusy } from './busy-loops.mjs';
import { failuresIn, partsIn, report } from './steady-report.mjs';

describe('what failed in a run', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steady-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = (name: string, content: object) => writeFile(join(folder, name), JSON.stringify(content));
  const suite = (name: string, ...tests: readonly (readonly [fullName: string, status: string])[]) => ({
    name: `/checkout/${name}`,
    status: tests.every(([, status]) => status === 'passed') && tests.length > 0 ? 'passed' : 'failed',
    message: '',
    assertionResults: tests.map(([fullName, status]) => ({ fullName, status })),
  });

  test('is each failed test with its file, and each suite that could not run', async () => {
    await write('live.json', {
      testResults: [suite('a.spec.ts', ['a is pushed', 'passed'], ['b is pushed', 'failed']), suite('b.spec.ts', ['c', 'passed']), suite('c.spec.ts')],
    });
    expect(failuresIn(folder, 'live')).toEqual(['a.spec.ts: b is pushed', 'c.spec.ts: could not run']);
  });

  test('includes suites whose process was killed, and what failed when they ran again', async () => {
    const message = 'A jest worker process (pid=7) was terminated by another process: signal=SIGABRT, exitCode=null.';
    await write('live.json', { testResults: [{ ...suite('a.spec.ts'), message }] });
    await write('live-again.json', { testResults: [suite('a.spec.ts', ['a is pushed', 'failed'])] });
    expect(failuresIn(folder, 'live')).toEqual(['a.spec.ts: its process was killed', 'a.spec.ts: a is pushed']);
  });

  test('is each failed fault', async () => {
    await write('faults.json', { passed: 1, failed: 2, skipped: 0, failures: ['kill', 'fsync'] });
    expect(failuresIn(folder, 'faults')).toEqual(['kill', 'fsync']);
  });

  test('is a missing report', () => {
    expect(failuresIn(folder, 'live')).toEqual(['no report']);
  });
});

test('the parts are run once each in the order of the gate; others are refused', () => {
  expect(partsIn(['faults', 'live', 'faults'])).toEqual(['live', 'faults']);
  expect(() => partsIn(['live', 'types'])).toThrow('name some of these parts: specs, live, contracts, journeys, faults; not types');
  expect(() => partsIn([])).toThrow('name some of these parts');
});

test('the report shows each run, and how often each test failed', () => {
  const run = (name: string, failures: readonly string[]) => ({
    name,
    counts: { passed: 9, failed: failures.length, skipped: 0 },
    seconds: 12.34,
    failures,
  });
  expect(report([run('faults', []), run('live', ['a', 'b']), run('faults', []), run('live', ['a'])])).toEqual([
    'live        run 1  9 passed, 2 failed (12.3 s)',
    'live        run 2  9 passed, 1 failed (12.3 s)',
    '            failed in 2 of 2: a',
    '            failed in 1 of 2: b',
    'faults      run 1  9 passed, 0 failed (12.3 s)',
    'faults      run 2  9 passed, 0 failed (12.3 s)',
  ]);
});

describe('busy loops', () => {
  const isRunning = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  const untilEnded = async (pids: readonly number[]): Promise<void> => {
    while (pids.some(isRunning)) await pause(20);
  };

  test('run until they are ended', async () => {
    const loops = keepBusy(2);
    const pids = loops.pids.map(Number);
    expect(pids.map(isRunning)).toEqual([true, true]);
    loops.end();
    await untilEnded(pids);
  });

  test('end if the process that started them is killed', async () => {
    const module = new URL('busy-loops.mjs', import.meta.url).href;
    const text = `import { keepBusy } from ${JSON.stringify(module)}; process.stdout.write(JSON.stringify(keepBusy(1).pids));`;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(starter.stdout, 'data')) as [Buffer];
    const pids = JSON.parse(String(line)) as readonly number[];
    expect(pids.map(isRunning)).toEqual([true]);
    starter.kill('SIGKILL');
    await untilEnded(pids);
  });
});
