import { join } from 'node:path';
import { contractSuites, servers } from './contract-suites.mjs';
import { countFaults, countJest, one, sum } from './counts.mjs';
import { runCommand } from './run-command.mjs';

const minute = 60_000;
const npmRun = (script, ...args) => ['npm', 'run', '--silent', script, ...args];
const jest = ['node', '--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];

/** A stage that passes or fails as a whole, by its exit code. */
const plain = (name, script, limitMs) => ({
  name,
  limitMs,
  run: async ({ limitMs: limit }) => {
    const ended = await runCommand(npmRun(script), { limitMs: limit });
    return { ...one(ended.exit === 0 && !ended.late), late: ended.late };
  },
});

async function runJest(args, { limitMs, folder, name }) {
  const report = join(folder, `${name}.json`);
  const ended = await runCommand([...jest, '--json', `--outputFile=${report}`, ...args], { limitMs, env: { ...process.env, FORCE_COLOR: '0' } });
  return { ...countJest(report, ended), late: ended.late };
}

/** The specs of the page and of the server; those that the next stage runs are left to it. */
const specs = ({ withContracts }) => ({
  name: 'specs',
  limitMs: 5 * minute,
  run: (stage) => {
    const left = withContracts ? contractSuites().map(({ spec }) => spec) : [];
    const ignore = left.length > 0 ? ['--testPathIgnorePatterns', '/dist/', '/node_modules/', ...left.map((spec) => `/${spec}$`)] : [];
    return runJest(['-w', '2', '--selectProjects', 'node', 'page', ...ignore], stage);
  },
});

const contracts = {
  name: 'contracts',
  limitMs: 8 * minute,
  run: async (stage) => {
    const suites = contractSuites();
    const ready = suites.filter(({ missing }) => missing.length === 0);
    const away = suites.filter(({ missing }) => missing.length > 0);
    for (const { spec, missing } of away) console.log(`contracts: skipped ${spec}: ${missing.join(', ')} is not set`);
    for (const { name, prefix } of servers) {
      if (!suites.some(({ spec }) => spec.includes(`/${prefix}`))) console.log(`contracts: no suite for ${name} yet`);
    }
    const skipped = process.env.CONTRACTS_REQUIRED === 'all' ? { passed: 0, failed: away.length, skipped: 0 } : { passed: 0, failed: 0, skipped: away.length };
    if (ready.length === 0) return skipped;
    const ran = await runJest(['-w', '2', '--selectProjects', 'node', '--runTestsByPath', ...ready.map(({ spec }) => spec)], stage);
    return { ...sum([ran, skipped]), late: ran.late };
  },
};

const journeys = {
  name: 'journeys',
  limitMs: 10 * minute,
  run: (stage) => runJest(['-w', '1', '--selectProjects', 'journeys'], stage),
};

const faults = {
  name: 'faults',
  limitMs: 3 * minute,
  run: async ({ limitMs, folder }) => {
    const report = join(folder, 'faults.json');
    const ended = await runCommand(['node', 'infra/faults/run.mjs', '--short', '--report', report], { limitMs });
    return { ...countFaults(report, ended), late: ended.late };
  },
};

const build = plain('build', 'build', 3 * minute);
const checks = [build, plain('format', 'format:check', minute), plain('lint', 'lint', 3 * minute), plain('types', 'types', 3 * minute)];

/** What can be run, by name. The build comes first: worker threads and child processes use compiled files. */
export const plans = {
  check: [...checks, specs({ withContracts: false })],
  test: [...checks, specs({ withContracts: true }), contracts, journeys, faults],
  contracts: [build, contracts],
  journeys: [build, journeys],
};
