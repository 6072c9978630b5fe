import { join } from 'node:path';
import { KafkaBrokers } from '../faults/lib/kafka-brokers.mjs';
import { endServers, servicesFolder, startServers } from '../faults/lib/servers.mjs';
import { contractSuites, needsCluster, serverOf, servers, suitesOnBrokers, suitesOnCluster } from './contract-suites.mjs';
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
  const ready = suites.filter((suite) => suite.missing.length === 0 && !needsCluster(suite)).map(({ spec }) => spec);
  const mustRunWhole = (file) => isRequired && serverOf(file) !== undefined;
  // One at a time on each set of servers, because suites share it and some make it fail. The sets run side by side: suites wait most of the time.
  const run = (specs, options) => stage.runJest(['-w', '1', '--selectProjects', 'node', '--runTestsByPath', ...specs], { ...stage, mustRunWhole, ...options });
  const onClusters = Object.entries({ EventStoreDB: suitesOnCluster(suites, environment), Kafka: suitesOnBrokers(suites, environment) });
  const again = onClusters
    .filter(([, { specs }]) => specs.length > 0)
    .map(([name, onCluster]) => {
      console.log(`contracts: those of ${name} on a cluster of three, too`);
      return run(onCluster.specs, { environment: onCluster.environment, name: `${stage.name} of ${name} on a cluster` });
    });
  const ran = await Promise.all([run(ready, { environment }), ...again]);
  return { ...sum([...ran, counts]), timedOut: ran.some(({ timedOut }) => timedOut) };
}

/** Runs the suites with the servers configured in the environment; starts none. */
export const contractsGiven = (stage) => runSuites(process.env, process.env.CONTRACTS_REQUIRED === 'all', stage);

const withPrefix = (env) => Object.fromEntries(Object.entries(env).map(([name, value]) => [name.replace('KAFKA_', 'KAFKA_CLUSTER_'), value]));

/** Starts a cluster of each kind. @returns the variables of its suites */
const CLUSTERS = {
  eventstore: async (folder, nodes) => clusterEnvironment(await startServers({ folder, only: ['eventstore'], nodes })),
  kafka: async (folder) => withPrefix((await KafkaBrokers.start({ folder: join(folder, 'kafka'), isSecure: true })).env),
};

const clusterEnvironment = ({ env }) => ({ EVENTSTORE_CLUSTER_URL: env.EVENTSTORE_URL, EVENTSTORE_CLUSTER_CONTROL_URL: env.EVENTSTORE_CONTROL_URL });

/** Starts the servers that are not configured in the environment. A failure to start is reported and counted. */
async function startMissing(stage) {
  const missing = servers.filter(({ needs }) => !process.env[needs]);
  const only = [...new Set(missing.filter(({ nodes }) => nodes === undefined).map(({ start }) => start))];
  try {
    const clusters = missing.filter(({ nodes }) => nodes !== undefined);
    const starting = clusters.map(({ start, nodes }) => CLUSTERS[start](join(stage.folder, 'cluster'), nodes));
    const [running, ...environments] = await Promise.all([startServers({ folder: join(stage.folder, 'servers'), only }), ...starting]);
    Object.assign(running.env, ...environments);
    for (const { needs, with: same } of missing) if (same !== undefined) running.env[needs] = running.env[same];
    console.log(`contracts: started ${missing.map(({ name }) => name).join(', ')}`);
    return { ...running, stop: endServers, counts: sum([]) };
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
