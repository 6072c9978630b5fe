import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const source = 'backend/src';

/** The servers that suites need, by prefix of the file name; the first that fits. `nodes`: a cluster. `with`: the same server as that of another variable. */
export const servers = [
  { name: 'EventStoreDB with three nodes', prefix: 'eventstoredb-cluster', needs: 'EVENTSTORE_CLUSTER_URL', start: 'eventstore', nodes: 3 },
  { name: 'EventStoreDB', prefix: 'eventstoredb-', needs: 'EVENTSTORE_URL', start: 'eventstore' },
  { name: 'MongoDB', prefix: 'mongo-', needs: 'MONGO_URL', start: 'mongodb' },
  { name: 'S3', prefix: 's3-', needs: 'S3_ENDPOINT', start: 's3' },
  { name: 'Kafka with three brokers, TLS and users', prefix: 'kafka-secure', needs: 'KAFKA_CLUSTER_BROKERS', start: 'kafka', nodes: 3 },
  { name: 'Kafka with an authorizer', prefix: 'kafka-rights', needs: 'KAFKA_RIGHTS_BROKERS', start: 'kafka', with: 'KAFKA_BROKERS' },
  { name: 'Kafka', prefix: 'kafka-', needs: 'KAFKA_BROKERS', start: 'kafka' },
];

/** The server that a spec needs, by its file name. */
export const serverOf = (file) => servers.find(({ prefix }) => basename(file).startsWith(prefix));

/** True for specs that run a port's contract, or that are named after a server and read its address. */
function isSuite(file, text) {
  const server = serverOf(file);
  return /from '[^']+\.contract\.js'/.test(text) || (server !== undefined && text.includes(server.needs));
}

/**
 * Every spec that runs a port's contract (it imports a `*.contract.js`) or needs the server that it is named after, with the variables that
 * are missing in the environment.
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @param {string} checkout the folder to search
 */
export function contractSuites(environment = process.env, checkout = root) {
  const specs = readdirSync(join(checkout, source), { recursive: true }).filter((file) => file.endsWith('.spec.ts'));
  return specs
    .map((file) => `${source}/${file.replaceAll('\\', '/')}`)
    .filter((spec) => isSuite(spec, readFileSync(join(checkout, spec), 'utf8')))
    .toSorted()
    .map((spec) => {
      const server = serverOf(spec);
      return { spec, missing: server && !environment[server.needs] ? [server.needs] : [] };
    });
}

/** True for the suites that one node of EventStoreDB can run. */
const needsEventStore = ({ spec }) => serverOf(spec)?.needs === 'EVENTSTORE_URL';

/** True for the suites that only a cluster of EventStoreDB can run. They make its nodes fail. */
export const needsCluster = ({ spec }) => serverOf(spec)?.needs === 'EVENTSTORE_CLUSTER_URL';

/** The suites that run against a cluster of EventStoreDB: its own and those of one node, and the environment of the latter there. None without EVENTSTORE_CLUSTER_URL. */
export function suitesOnCluster(suites, environment) {
  const { EVENTSTORE_CLUSTER_URL: url, EVENTSTORE_CLUSTER_CONTROL_URL: control } = environment;
  const specs = url ? suites.filter((suite) => needsEventStore(suite) || needsCluster(suite)).map(({ spec }) => spec) : [];
  const { EVENTSTORE_CONTROL_URL: _, ...others } = environment;
  return { specs, environment: { ...others, EVENTSTORE_URL: url, ...(control && { EVENTSTORE_CONTROL_URL: control }) } };
}

const KAFKA_CLUSTER = 'KAFKA_CLUSTER_';

/** The suites of one Kafka broker, and the environment in which they run against a cluster: its variables are the program's with the prefix KAFKA_CLUSTER_. None without them. */
export function suitesOnBrokers(suites, environment) {
  const others = Object.entries(environment).filter(([name]) => !name.startsWith('KAFKA_'));
  const ofCluster = Object.entries(environment).filter(([name, value]) => name.startsWith(KAFKA_CLUSTER) && value);
  const specs = ofCluster.length > 0 ? suites.map(({ spec }) => spec).filter((spec) => serverOf(spec)?.needs === 'KAFKA_BROKERS') : [];
  return { specs, environment: Object.fromEntries([...others, ...ofCluster.map(([name, value]) => [name.replace(KAFKA_CLUSTER, 'KAFKA_'), value])]) };
}
