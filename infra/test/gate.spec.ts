import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SERVER_NAMES } from '../faults/lib/servers.mjs';
import { contractSuites, servers, suitesOnBrokers, suitesOnCluster } from './contract-suites.mjs';
import { reportMissing } from './contracts-stage.mjs';
import { countFaults, countJest, killedSuites, formatCounts, sum, totalOf } from './counts.mjs';
import { missingNodeResult, nodesOfGate, SUITES_PER_NODE, SUPPORTED } from './node-versions.mjs';
import { runCommand } from './run-command.mjs';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const clean = { exit: 0, timedOut: false };

describe('the counts of a run', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gate-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const reportOf = async (numbers: Record<string, number>, testResults: readonly unknown[] = []) => {
    const file = join(folder, 'report.json');
    const none = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, numRuntimeErrorTestSuites: 0 };
    await writeFile(file, JSON.stringify({ ...none, ...numbers, testResults }));
    return file;
  };

  test('include each suite that could not run as a failure', async () => {
    const file = await reportOf({ numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numRuntimeErrorTestSuites: 1 });
    expect(countJest(file, { exit: 1, timedOut: false })).toEqual({ passed: 5, failed: 2, skipped: 2 });
  });

  test('include each skipped test of a file that must run completely as a failure', async () => {
    const resultsOf = (name: string, ...statuses: string[]) => ({ name, assertionResults: statuses.map((status) => ({ status })) });
    const results = [resultsOf('/checkout/mongo-vault.spec.ts', 'passed', 'pending'), resultsOf('/checkout/embedded-vault.spec.ts', 'pending')];
    const file = await reportOf({ numPassedTests: 1, numPendingTests: 2 }, results);
    expect(countJest(file, clean)).toEqual({ passed: 1, failed: 0, skipped: 2 });
    expect(countJest(file, clean, (name) => name.includes('/mongo-'))).toEqual({ passed: 1, failed: 1, skipped: 1 });
  });

  test('have a failure if the run exited with an error or timed out without a failed test', async () => {
    const file = await reportOf({ numPassedTests: 5 });
    expect(countJest(file, clean)).toEqual({ passed: 5, failed: 0, skipped: 0 });
    expect(countJest(file, { exit: 1, timedOut: false })).toEqual({ passed: 5, failed: 1, skipped: 0 });
    expect(countJest(file, { exit: 0, timedOut: true })).toEqual({ passed: 5, failed: 1, skipped: 0 });
  });

  test('exclude suites whose process was killed, if they are run again', async () => {
    const cut = 'Test suite failed to run\n\nA jest worker process (pid=7) was terminated by another process: signal=SIGABRT, exitCode=null.';
    const results = [
      { name: '/checkout/a.spec.ts', message: cut, assertionResults: [] },
      { name: '/checkout/b.spec.ts', message: 'expected 1', assertionResults: [{ status: 'failed' }] },
    ];
    const file = await reportOf({ numPassedTests: 5, numFailedTests: 1, numRuntimeErrorTestSuites: 1 }, results);
    expect(killedSuites(file)).toEqual(['/checkout/a.spec.ts']);
    expect(countJest(file, { exit: 1, timedOut: false })).toEqual({ passed: 5, failed: 2, skipped: 0 });
    expect(countJest(file, { exit: 1, timedOut: false }, () => false, 1)).toEqual({ passed: 5, failed: 1, skipped: 0 });
    expect(killedSuites(join(folder, 'none.json'))).toEqual([]);
  });

  test('have a failure if there is no report', () => {
    expect(countJest(join(folder, 'none.json'), clean)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(countFaults(join(folder, 'none.json'), clean)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  test('of faults come from the report, with a failure if the run exited with an error', async () => {
    const file = join(folder, 'faults.json');
    await writeFile(file, JSON.stringify({ passed: 9, failed: 0, skipped: 1 }));
    expect(countFaults(file, clean)).toEqual({ passed: 9, failed: 0, skipped: 1 });
    expect(countFaults(file, { exit: null, timedOut: true })).toEqual({ passed: 9, failed: 1, skipped: 1 });
  });
});

test('the last line sums up all stages, and mentions skipped tests only if there are any', () => {
  expect(formatCounts(sum([]))).toBe('0 passed, 0 failed');
  const total = sum([
    { passed: 1, failed: 0, skipped: 0 },
    { passed: 200, failed: 3, skipped: 4 },
  ]);
  expect(formatCounts(total)).toBe('201 passed, 3 failed, 4 skipped');
});

test('tests that a stage repeats on another Node count once, but their failures always count', () => {
  const first = { passed: 10, failed: 0, skipped: 1 };
  expect(totalOf([first, { passed: 9, failed: 1, skipped: 1, isRepeat: true }])).toEqual({ passed: 10, failed: 1, skipped: 1 });
});

describe('the supported Node versions', () => {
  test('range from the oldest in package.json to the one in the image', async () => {
    const [oldest = '', newest = ''] = SUPPORTED;
    expect(await readFile(join(repository, 'package.json'), 'utf8')).toContain(`"node": ">=${oldest.replace(/\.0$/, '')}"`);
    expect(await readFile(join(repository, 'infra/Dockerfile'), 'utf8')).toContain(`FROM node:${newest}.`);
  });

  test('both run the whole program, whichever one runs the gate: the newest in the specs, the oldest in journeys and faults', () => {
    expect(nodesOfGate('20.20.2')).toEqual({ specs: '24', others: undefined });
    expect(nodesOfGate('24.21.0')).toEqual({ specs: undefined, others: '20.19.0' });
    expect(nodesOfGate('22.1.0')).toEqual({ specs: '24', others: '20.19.0' });
  });

  test('both run what uses Node: stores, web server, ciphers, child processes and audio', () => {
    const runs = (path: string): boolean => SUITES_PER_NODE.some((pattern) => new RegExp(pattern).test(path));
    const specs = ['platform/sqlite/statements.spec.ts', 'platform/http/malformed.api.spec.ts', 'platform/auth/secrets.spec.ts', 'media/audio-worker.spec.ts'];
    const ownLogic = ['platform/projections/projection-lanes.spec.ts', 'todos/todos.api.spec.ts', 'media/real-music.spec.ts', 'strangers.api.spec.ts'];
    const pathOf = (spec: string): string => `backend/src/${spec}`;
    expect([...specs, ...ownLogic].filter((spec) => !existsSync(join(repository, pathOf(spec))))).toEqual([]);
    expect([specs, ownLogic].map((each) => each.filter((spec) => runs(pathOf(spec))))).toEqual([specs, []]);
  });

  test('are reported as skipped if npm cannot install them, and fail in CI', () => {
    expect(missingNodeResult('24', false)).toEqual({
      line: 'Node 24: skipped, this version is not available',
      counts: { passed: 0, failed: 0, skipped: 1 },
    });
    expect(missingNodeResult('24', true).counts).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  test('are reported in one sentence if the registry is unreachable', async () => {
    const cache = await mkdtemp(join(tmpdir(), 'gate-node-'));
    const env = { ...process.env, XDG_CACHE_HOME: cache, npm_config_registry: 'http://127.0.0.1:1', npm_config_fetch_retries: '0' };
    const { status, stdout, stderr } = spawnSync('infra/try-node.sh', ['22.0.0', 'node', '--version'], { cwd: repository, env, encoding: 'utf8' });
    await rm(cache, { recursive: true });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^Node 22\.0\.0 is not available: npm cannot install node-(bin-)?\w+-\w+@22\.0\.0 \(ECONNREFUSED\)\.\n$/);
  });
});

test('a stage that times out is killed with all its processes, even if they ignore SIGTERM', async () => {
  const deaf = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
  const program = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(deaf)}]); setInterval(() => {}, 1000);`;
  expect(await runCommand(['node', '-e', program], { limitMs: 500 })).toEqual({ exit: null, timedOut: true });
});

test('a stage reports its exit code', async () => {
  expect(await runCommand(['node', '-e', 'process.exit(3)'], { limitMs: 20_000 })).toEqual({ exit: 3, timedOut: false });
});

test('contract suites of embedded adapters need no server', () => {
  const embedded = contractSuites({}).filter(({ spec }) => spec.includes('/embedded-'));
  expect(embedded.length).toBeGreaterThan(0);
  expect(embedded.flatMap(({ missing }) => missing)).toEqual([]);
});

describe('contract suites of the real servers', () => {
  let checkout: string;
  const platform = 'backend/src/platform';
  beforeAll(async () => {
    checkout = await mkdtemp(join(tmpdir(), 'gate-checkout-'));
    const specs = {
      'documents/embedded-document-store.spec.ts': "import { documents } from './documents.contract.js';",
      'documents/mongo-document-store.spec.ts': "import { documents } from './documents.contract.js';",
      'event-store/eventstoredb-restart.spec.ts': "const url = process.env['EVENTSTORE_URL'];",
      'blobs/s3-errors.spec.ts': '',
      'event-store/stream-cache.spec.ts': '',
    };
    for (const [file, text] of Object.entries(specs)) {
      await mkdir(join(checkout, platform, file, '..'), { recursive: true });
      await writeFile(join(checkout, platform, file), text);
    }
  });
  afterAll(() => rm(checkout, { recursive: true }));

  test('are found by their contract, or by their name and the variable they read, with missing variables listed', () => {
    expect(contractSuites({ MONGO_URL: 'mongodb://127.0.0.1:1/' }, checkout)).toEqual([
      { spec: `${platform}/documents/embedded-document-store.spec.ts`, missing: [] },
      { spec: `${platform}/documents/mongo-document-store.spec.ts`, missing: [] },
      { spec: `${platform}/event-store/eventstoredb-restart.spec.ts`, missing: ['EVENTSTORE_URL'] },
    ]);
  });

  test('are reported if they cannot run or do not exist, and count as skipped', () => {
    expect(reportMissing(contractSuites({ MONGO_URL: 'mongodb://127.0.0.1:1/' }, checkout), false)).toEqual({
      lines: [
        `contracts: skipped ${platform}/event-store/eventstoredb-restart.spec.ts: EVENTSTORE_URL is not set`,
        'contracts: no suite for EventStoreDB with three nodes',
        'contracts: no suite for S3',
        'contracts: no suite for Kafka with three brokers, TLS and users',
        'contracts: no suite for Kafka with an authorizer',
        'contracts: no suite for Kafka',
      ],
      counts: { passed: 0, failed: 0, skipped: 6 },
    });
  });

  test('of EventStoreDB run on a cluster too, with its address and its switches, and so do those that need one', () => {
    const specs = ['eventstoredb-cluster.spec.ts', 'eventstoredb-restart.spec.ts', 'mongo-vault.spec.ts'].map((spec) => ({ spec, missing: [] }));
    const one = { EVENTSTORE_URL: 'esdb://one', EVENTSTORE_CONTROL_URL: 'http://one', MONGO_URL: 'mongodb://one' };
    const three = { EVENTSTORE_CLUSTER_URL: 'esdb://three', EVENTSTORE_CLUSTER_CONTROL_URL: 'http://three' };
    const expected = { ...one, EVENTSTORE_URL: 'esdb://three', EVENTSTORE_CONTROL_URL: 'http://three' };
    expect(suitesOnCluster(specs, { ...one, ...three })).toEqual({
      specs: ['eventstoredb-cluster.spec.ts', 'eventstoredb-restart.spec.ts'],
      environment: { ...expected, ...three },
    });
    const real = { ...one, EVENTSTORE_CLUSTER_URL: 'esdb://three' };
    expect(suitesOnCluster(specs, real).environment).toEqual({
      EVENTSTORE_URL: 'esdb://three',
      EVENTSTORE_CLUSTER_URL: 'esdb://three',
      MONGO_URL: 'mongodb://one',
    });
    expect(suitesOnCluster(specs, one).specs).toEqual([]);
  });

  test('of Kafka run again on three brokers, with the variables of these alone, and those that need more do not', () => {
    const specs = ['kafka-publisher.spec.ts', 'kafka-rights.spec.ts', 'kafka-secure.spec.ts', 'mongo-vault.spec.ts'].map((spec) => ({ spec, missing: [] }));
    const one = { KAFKA_BROKERS: 'one:9092', KAFKA_RIGHTS_BROKERS: 'one:9092', MONGO_URL: 'mongodb://one' };
    const three = { KAFKA_CLUSTER_BROKERS: 'a:9092,b:9092,c:9092', KAFKA_CLUSTER_TLS: 'true' };
    expect(suitesOnBrokers(specs, { ...one, ...three })).toEqual({
      specs: ['kafka-publisher.spec.ts'],
      environment: { MONGO_URL: 'mongodb://one', KAFKA_BROKERS: 'a:9092,b:9092,c:9092', KAFKA_TLS: 'true' },
    });
    expect(suitesOnBrokers(specs, one).specs).toEqual([]);
  });

  test('count as failed if all are required', () => {
    expect(reportMissing(contractSuites({}, checkout), true).counts).toEqual({ passed: 0, failed: 7, skipped: 0 });
  });

  test('need only servers that can be started from beside the checkout', () => {
    expect([...new Set(servers.map(({ start }) => start))].toSorted()).toEqual(SERVER_NAMES.toSorted());
  });
});
