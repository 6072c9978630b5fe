import { join } from 'node:path';
import { endServers, servicesFolder, startServers } from '../faults/lib/servers.mjs';
import { contractSuites, serverOf, servers } from './contract-suites.mjs';
import { one, sum } from './counts.mjs';

/**
 * Report of suites that cannot run. They count as skipped, or as failed if all are required.
 * @param {readonly { spec: string, missing: readonly string[] }[]} suites
 */
export function reportMissing(suites, isRequired) {
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
  const { lines, counts } = reportMissing(suites, isRequired);
  for (const line of lines) console.log(line);
  const ready = suites.filter(({ missing }) => missing.length === 0).map(({ spec }) => spec);
  // One at a time: suites share the servers, and some make them misbehave.
  const ran = await stage.runJest(['-w', '1', '--selectProjects', 'node', '--runTestsByPath', ...ready], {
    ...stage,
    environment,
    mustRunWhole: (file) => isRequired && serverOf(file) !== undefined,
  });
  return { ...sum([ran, counts]), timedOut: ran.timedOut };
}

/** Runs the suites with the servers configured in the environment; starts none. */
export const contractsGiven = (stage) => runSuites(process.env, process.env.CONTRACTS_REQUIRED === 'all', stage);

/** Starts the servers that are not configured in the environment. A failure to start is reported and counted. */
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

/** Runs the suites after starting the missing servers from beside the checkout. Without these it does the same as {@link contractsGiven}. */
export async function contractsWithServers(stage) {
  if (servicesFolder === null) {
    console.log('contracts: no servers to test against (../shared/services); suites that need them are skipped');
    return contractsGiven(stage);
  }
  const running = await startMissing(stage);
  const suites = await runSuites({ ...process.env, ...running.env }, true, stage);
  await running.stop();
  return { ...sum([running.counts, suites]), timedOut: suites.timedOut };
}
