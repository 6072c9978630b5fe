import { join } from 'node:path';
import { endServers, servicesFolder, startServers } from '../faults/lib/servers.mjs';
import { contractSuites, serverOf, servers } from './contract-suites.mjs';
import { countFaults, one, sum } from './counts.mjs';
import { runCommand } from './run-command.mjs';

/**
 * What is said of suites that cannot run, and what they count as: skipped, or failed where all of them are required.
 * @param {readonly { spec: string, missing: readonly string[] }[]} suites
 */
export function judgeAway(suites, isRequired) {
  const away = suites.filter(({ missing }) => missing.length > 0);
  const without = servers.filter(({ prefix }) => !suites.some(({ spec }) => spec.includes(`/${prefix}`)));
  const lines = [
    ...away.map(({ spec, missing }) => `contracts: skipped ${spec}: ${missing.join(', ')} is not set`),
    ...without.map(({ name }) => `contracts: no suite for ${name}`),
  ];
  return { lines, counts: isRequired ? { passed: 0, failed: lines.length, skipped: 0 } : { passed: 0, failed: 0, skipped: lines.length } };
}

async function runSuites(environment, isRequired, stage) {
  const suites = contractSuites(environment);
  const { lines, counts } = judgeAway(suites, isRequired);
  for (const line of lines) console.log(line);
  const ready = suites.filter(({ missing }) => missing.length === 0).map(({ spec }) => spec);
  // One at a time: a server's log is everybody's, and some suites make it misbehave.
  const ran = await stage.runJest(['-w', '1', '--selectProjects', 'node', '--runTestsByPath', ...ready], {
    ...stage,
    environment,
    mustRunWhole: (file) => isRequired && serverOf(file) !== undefined,
  });
  return { ...sum([ran, counts]), late: ran.late };
}

async function runFaults({ limitMs, folder }) {
  const report = join(folder, 'server-faults.json');
  const ended = await runCommand(['node', 'infra/faults/run.mjs', '--short', '--needs', 'servers', '--report', report], { limitMs });
  return { ...countFaults(report, ended), late: ended.late };
}

/** The suites with the addresses of the environment, nothing started. */
export const contractsGiven = (stage) => runSuites(process.env, process.env.CONTRACTS_REQUIRED === 'all', stage);

/** Starts what the environment does not name; without them when they do not start, which is told and counts. */
async function startMissing(stage) {
  const only = servers.filter(({ needs }) => !process.env[needs]).map(({ start }) => start);
  try {
    const running = await startServers({ folder: join(stage.folder, 'servers'), only });
    console.log(`contracts: started ${only.join(', ')}`);
    return { ...running, counts: sum([]) };
  } catch (error) {
    console.error(`contracts: ${error.message}`);
    return { env: {}, stop: endServers, counts: one(false) };
  }
}

/**
 * The suites with every server that the environment does not name, started from beside the checkout, and the faults that break such servers. Where there are
 * none to start it is {@link contractsGiven}, and those faults are skipped.
 */
export async function contractsWithServers(stage) {
  if (servicesFolder === null) {
    console.log('contracts: the servers to test against (../shared/services) are not there; what needs them is skipped');
    const [given, faults] = [await contractsGiven(stage), await runFaults(stage)];
    return { ...sum([given, faults]), late: given.late || faults.late };
  }
  const until = Date.now() + stage.limitMs;
  const running = await startMissing(stage);
  const suites = await runSuites({ ...process.env, ...running.env }, true, stage);
  await running.stop();
  if (suites.late) return { ...sum([running.counts, suites, one(false)]), late: true };
  const faults = await runFaults({ ...stage, limitMs: until - Date.now() });
  return { ...sum([running.counts, suites, faults]), late: faults.late };
}
