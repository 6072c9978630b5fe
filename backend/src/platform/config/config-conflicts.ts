import { addressOf } from '../event-store/eventstoredb-address.js';
import { isVapidPair } from '../push/vapid.js';
import type { Config } from './config.js';

const named = (config: Partial<Config>, names: readonly (keyof Config)[]): readonly (keyof Config)[] => names.filter((name) => (config[name] ?? null) !== null);

/** Processes that share the work need stores that all of them can reach. */
function rolesOf(config: Partial<Config>): readonly string[] {
  const needed = ['EVENTSTORE_URL', 'MONGO_URL', 'S3_ENDPOINT'] as const;
  const isPart = config.ROLES !== undefined && config.ROLES.length < 3;
  if (needed.some((name) => config[name] === undefined)) return [];
  return isPart && named(config, needed).length < needed.length
    ? ['ROLES needs EVENTSTORE_URL, MONGO_URL and S3_ENDPOINT unless it names all three roles']
    : [];
}

/** Keys generated in a data folder would differ between processes and be lost with the folder, while the servers keep the data encrypted with them. */
function keysOf(config: Partial<Config>): readonly string[] {
  const real = named(config, ['EVENTSTORE_URL', 'MONGO_URL']);
  if (real.length === 0) return [];
  // Only the API reads the admin key.
  const needed = config.ROLES?.includes('web') === false ? (['MASTER_KEY'] as const) : (['ADMIN_KEY', 'MASTER_KEY'] as const);
  return needed.filter((name) => config[name] === null).map((name) => `${name} is required with ${real.join(' and ')}`);
}

/** Checks EVENTSTORE_URL beyond its form. */
function eventStoreOf({ EVENTSTORE_URL }: Partial<Config>): readonly string[] {
  if (EVENTSTORE_URL === undefined || EVENTSTORE_URL === null) return [];
  try {
    addressOf(EVENTSTORE_URL);
    return [];
  } catch (error) {
    if (error instanceof URIError) return ['EVENTSTORE_URL: write a percent sign in user or password as %25'];
    return [error instanceof Error ? error.message : 'EVENTSTORE_URL is not a valid URL'];
  }
}

function s3Of(config: Partial<Config>): readonly string[] {
  const keys = ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;
  if (config.S3_ENDPOINT === undefined) return [];
  const given = named(config, keys);
  // Without both, the client looks for a key by itself (environment, files, the machine's role).
  if (config.S3_ENDPOINT !== null)
    return given.length === 1 ? keys.filter((name) => config[name] === null).map((name) => `${name} is required with ${given.join()}`) : [];
  return named(config, ['S3_PUBLIC_ENDPOINT', ...keys]).map((name) => `${name} has no effect without S3_ENDPOINT`);
}

/** User and password come together, and the password is never sent unencrypted. */
function kafkaOf(config: Partial<Config>): readonly string[] {
  const given = named(config, ['KAFKA_USERNAME', 'KAFKA_PASSWORD']);
  if (config.KAFKA_BROKERS === undefined || given.length === 0) return [];
  if (config.KAFKA_BROKERS === null) return given.map((name) => `${name} has no effect without KAFKA_BROKERS`);
  const missing = (['KAFKA_USERNAME', 'KAFKA_PASSWORD'] as const).filter((name) => config[name] === null);
  const isOpen = config.KAFKA_SASL === 'plain' && config.KAFKA_TLS === 'false';
  return [
    ...missing.map((name) => `${name} is required with ${given.join(' and ')}`),
    ...(isOpen ? ['KAFKA_SASL=plain sends the password unencrypted, so it needs KAFKA_TLS=true'] : []),
  ];
}

/** A certificate authority has an effect only with TLS. */
function authorityOf({ KAFKA_BROKERS, KAFKA_TLS, KAFKA_CA_FILE = null }: Partial<Config>): readonly string[] {
  if (KAFKA_CA_FILE === null || KAFKA_BROKERS === undefined || KAFKA_TLS === undefined) return [];
  if (KAFKA_BROKERS === null) return ['KAFKA_CA_FILE has no effect without KAFKA_BROKERS'];
  return KAFKA_TLS === 'true' ? [] : ['KAFKA_CA_FILE needs KAFKA_TLS=true'];
}

/** Kafka accepts no event for a topic that asks for more acknowledgements than it has copies. */
function topicOf(config: Partial<Config>): readonly string[] {
  const { KAFKA_BROKERS, KAFKA_REPLICATION: copies = null, KAFKA_MIN_ISR: acknowledged = null } = config;
  if (KAFKA_BROKERS === undefined) return [];
  if (KAFKA_BROKERS === null) return named(config, ['KAFKA_REPLICATION', 'KAFKA_MIN_ISR']).map((name) => `${name} has no effect without KAFKA_BROKERS`);
  if (acknowledged === null) return [];
  if (copies === null) return ['KAFKA_MIN_ISR needs KAFKA_REPLICATION'];
  return acknowledged > copies ? ['KAFKA_MIN_ISR must not exceed KAFKA_REPLICATION'] : [];
}

function vapidOf({ VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey }: Partial<Config>): readonly string[] {
  if (publicKey === undefined || privateKey === undefined || (publicKey === null && privateKey === null)) return [];
  if (publicKey === null) return ['VAPID_PUBLIC_KEY is required with VAPID_PRIVATE_KEY'];
  if (privateKey === null) return ['VAPID_PRIVATE_KEY is required with VAPID_PUBLIC_KEY'];
  return isVapidPair({ publicKey, privateKey }) ? [] : ['VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY must belong to each other'];
}

function portsOf({ PORT, METRICS_PORT }: Partial<Config>): readonly string[] {
  const isShared = PORT !== undefined && PORT !== 0 && PORT === METRICS_PORT;
  return isShared ? ['METRICS_PORT must differ from PORT'] : [];
}

/** Mistakes in combinations of variables. Variables that failed to parse are skipped, as they are reported already. */
export const conflictsIn = (config: Partial<Config>): readonly string[] =>
  [portsOf, rolesOf, keysOf, eventStoreOf, s3Of, kafkaOf, authorityOf, topicOf, vapidOf].flatMap((check) => check(config));
