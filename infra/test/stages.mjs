import { join } from 'node:path';
import { contractSuites } from './contract-suites.mjs';
import { contractsGiven, contractsWithServers } from './contracts-stage.mjs';
import { countFaults, countJest, killedSuites, one, sum } from './counts.mjs';
import { missingNodeResult, nodesOfGate, SUITES_PER_NODE } from './node-versions.mjs';
import { runCommand } from './run-command.mjs';
import { slowestSuites } from './stage-costs.mjs';

const minute = 60_000;
const npmRun = (script, ...args) => ['npm', 'run', '--silent', script, ...args];
const jest = ['node', '--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
/** One more than the cores of a small machine: specs also wait. */
const workers = ['-w', '3'];

/** Time budget of a stage. Exceeding it is reported; the stage is killed only well after that, when it must be hanging. */
const budget = (minutes) => ({ budgetMs: minutes * minute, limitMs: (minutes + 8) * minute });

/** A stage that passes or fails by its exit code. */
const plain = (name, script, minutes) => ({
  name,
  ...budget(minutes),
  run: async ({ limitMs: limit }) => {
    const ended = await runCommand(npmRun(script), { limitMs: limit });
    return { ...one(ended.exit === 0 && !ended.timedOut), timedOut: ended.timedOut };
  },
});

/** Node sometimes aborts a process when a thread ends, so these suites are run again. More in one run indicate a real problem. */
const MAX_KILLED = 2;

/** Runs jest and counts its tests; suites whose process was killed run again. The report is `<name>.json` in the stage's folder. */
export async function runJest(args, { limitMs, folder, name, environment = process.env, mustRunWhole, through = [] }) {
  const until = performance.now() + limitMs;
  const run = async (part, given) => {
    const report = join(folder, `${part}.json`);
    const options = { limitMs: Math.max(until - performance.now(), 0), env: { ...environment, FORCE_COLOR: '0' } };
    return { report, ended: await runCommand([...through, ...jest, '--json', `--outputFile=${report}`, ...given], options) };
  };
  const first = await run(name, args);
  console.log(`\nThe slowest suites of ${name}:\n${slowestSuites(first.report).join('\n')}`);
  const cut = killedSuites(first.report);
  const runsAgain = cut.length > 0 && cut.length <= MAX_KILLED && !first.ended.timedOut;
  const counts = countJest(first.report, first.ended, mustRunWhole, runsAgain ? cut.length : 0);
  if (!runsAgain) return { ...counts, timedOut: first.ended.timedOut };
  console.log(`\n${name}: the processes of these suites were killed, running them again: ${cut.join(' ')}`);
  const again = await run(`${name}-again`, ['-w', '2', '--runTestsByPath', ...cut]);
  return { ...sum([counts, countJest(again.report, again.ended, mustRunWhole)]), timedOut: again.ended.timedOut };
}

/**
 * How to run a command on a version of Node.
 * @param {string | undefined} version undefined for the running one
 * @returns `through`, the words before the command (none for the running Node, or if npm cannot install the version), and `missing`, the counts that report a
 *   version that cannot be installed, or null
 */
async function onNode(version) {
  if (version === undefined) return { through: [], missing: null };
  const through = ['infra/try-node.sh', version];
  const found = await runCommand([...through, 'node', '--version'], { limitMs: 2 * minute });
  if (found.exit === 0) {
    console.log(`on Node ${version}`);
    return { through, missing: null };
  }
  const { line, counts } = missingNodeResult(version, process.env.CI === 'true');
  console.log(line);
  return { through: [], missing: counts };
}

/** The specs of page and server, without those that the contracts stage runs. */
const specs = ({ withContracts, version }) => ({
  name: 'specs',
  ...budget(8),
  run: async (stage) => {
    const left = withContracts ? contractSuites().map(({ spec }) => spec) : [];
    const ignore = left.length > 0 ? ['--testPathIgnorePatterns', '/dist/', '/node_modules/', ...left.map((spec) => `/${spec}$`)] : [];
    const { through, missing } = await onNode(version);
    const ran = await runJest([...workers, '--selectProjects', 'node', 'page', ...ignore], { ...stage, through });
    return missing === null ? ran : { ...sum([ran, missing]), timedOut: ran.timedOut };
  },
});

/** The suites of what uses Node's modules and native packages. If npm cannot install the version, they do not run: the specs stage has run them. */
const adapters = (version) => ({
  name: `adapters on Node ${version ?? process.versions.node}`,
  ...budget(2),
  run: async (stage) => {
    const { through, missing } = await onNode(version);
    if (missing !== null) return { ...missing, timedOut: false };
    const ran = await runJest([...workers, '--selectProjects', 'node', '--testPathPatterns', ...SUITES_PER_NODE], { ...stage, through });
    return { ...ran, isRepeat: true };
  },
});

/** Adapters against their servers: those in the environment, plus, with `started`, those installed beside the checkout. */
const contracts = ({ started }) => ({
  name: 'contracts',
  ...budget(5),
  run: (stage) => (started ? contractsWithServers : contractsGiven)({ ...stage, runJest }),
});

const journeys = (version) => ({
  name: 'journeys',
  ...budget(6),
  run: async (stage) => runJest(['-w', '2', '--selectProjects', 'journeys'], { ...stage, through: (await onNode(version)).through }),
});

/** Faults that break servers start their own. */
const faults = (version) => ({
  name: 'faults',
  ...budget(2.5),
  run: async ({ limitMs, folder }) => {
    const report = join(folder, 'faults.json');
    const { through } = await onNode(version);
    const ended = await runCommand([...through, 'node', 'infra/faults/run.mjs', '--short', '--report', report], { limitMs });
    return { ...countFaults(report, ended), timedOut: ended.timedOut };
  },
});

const build = plain('build', 'build', 3);
const checks = [build, plain('format', 'format:check', 1), plain('lint', 'lint', 3), plain('types', 'types', 3)];

const nodes = nodesOfGate();
/** Side by side, because contracts wait for servers most of the time. */
const specsBesideContracts = [specs({ withContracts: true, version: nodes.specs }), contracts({ started: true })];

/** The plans by name; stages in brackets run side by side. The build is first, because worker threads and child processes use compiled files. */
export const plans = {
  check: [...checks, specs({ withContracts: false })],
  test: [...checks, specsBesideContracts, adapters(nodes.others), journeys(nodes.others), faults(nodes.others)],
  contracts: [build, contracts({ started: false })],
  journeys: [build, journeys()],
};
