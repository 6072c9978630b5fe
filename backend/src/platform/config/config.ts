import {
  bucket,
  certificatesIn,
  type Form,
  fileOrNone,
  folder,
  host,
  hostsWithPorts,
  mailServer,
  oneAddress,
  oneOf,
  origin,
  proxies,
  rawKey,
  roles,
  secretKey,
  senderOrNone,
  server,
  textIn,
  topic,
  whole,
  wholeOrNone,
  word,
} from './config-forms.js';
import { conflictsIn } from './config-conflicts.js';

export type { AppRole } from './config-forms.js';

/** A variable: its meaning and default for `.env.example`, and how to parse it. */
interface Variable<Value> {
  readonly about: string;
  /** The default as text; absent if the meaning states it. */
  readonly fallback?: string;
  readonly secret?: boolean;
  readonly read: Form<Value>;
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const KAFKA_SASL = ['scram-sha-512', 'scram-sha-256', 'plain'] as const;
const LAST_PORT = 65_535;
const MANY = 1_000_000;
const LARGE = 2_000_000_000;
const MOST_BROKERS = 100;

/** Every variable that the program reads. */
const VARIABLES = {
  HOST: { about: 'the address to listen on', fallback: '127.0.0.1', read: host('HOST', '127.0.0.1') },
  PORT: { about: 'the port to listen on; 0 takes any free one and prints it', fallback: '3000', read: whole('PORT', 3000, 0, LAST_PORT) },
  METRICS_PORT: {
    about: 'a port of its own for /metrics and the details of /health/ready; without it there are no metrics, and the details are on PORT',
    read: wholeOrNone('METRICS_PORT', 0, LAST_PORT),
  },
  PUBLIC_URL: { about: 'the address that browsers open; http://localhost:PORT by default', read: origin('PUBLIC_URL') },
  DATA_DIR: { about: 'the folder for everything that is not on a server', fallback: './data', read: folder('data') },
  ROLES: {
    about: 'the roles of this process; without all three it needs EVENTSTORE_URL, MONGO_URL and S3_ENDPOINT',
    fallback: 'web,projector,reactor',
    read: roles('ROLES'),
  },
  ADMIN_KEY: { about: 'the secret key of /api/admin/{key}; generated in DATA_DIR at the first start', secret: true, read: secretKey('ADMIN_KEY') },
  MASTER_KEY: { about: "the key that wraps the vault's keys; generated in DATA_DIR at the first start", secret: true, read: secretKey('MASTER_KEY') },
  NEW_MASTER_KEY: {
    about: 'the key that operate -- keys rotate changes to, and that nothing else reads',
    secret: true,
    read: secretKey('NEW_MASTER_KEY'),
  },
  EVENTSTORE_URL: {
    about: 'EventStoreDB for the log, as esdb://USER:PASSWORD@HOST:2113?tls=true; without it the log is in DATA_DIR',
    secret: true,
    read: server('EVENTSTORE_URL', 'esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover'),
  },
  MONGO_URL: {
    about: 'MongoDB for read models and the vault, as mongodb://HOST:27017/roughmix; without it they are in DATA_DIR',
    secret: true,
    read: server('MONGO_URL', 'mongodb', 'mongodb+srv'),
  },
  S3_ENDPOINT: { about: 'an S3 server for files, as this process reaches it; without it they are in DATA_DIR', read: origin('S3_ENDPOINT') },
  S3_PUBLIC_ENDPOINT: { about: 'the S3 server as browsers reach it; S3_ENDPOINT by default', read: origin('S3_PUBLIC_ENDPOINT') },
  S3_REGION: { about: 'the region of S3', fallback: 'us-east-1', read: (text) => word('S3_REGION')(text) ?? 'us-east-1' },
  S3_BUCKET: { about: 'the bucket, which must exist', fallback: 'roughmix', read: bucket('S3_BUCKET', 'roughmix') },
  S3_ACCESS_KEY_ID: {
    about: "an access key that can read and write in the bucket; without it the client uses AWS's chain: AWS_ACCESS_KEY_ID, files, the role of the machine",
    secret: true,
    read: word('S3_ACCESS_KEY_ID'),
  },
  S3_SECRET_ACCESS_KEY: { about: 'the secret of S3_ACCESS_KEY_ID', secret: true, read: word('S3_SECRET_ACCESS_KEY') },
  KAFKA_BROKERS: {
    about: 'Kafka brokers as HOST:PORT, separated by commas; every event is published there',
    read: hostsWithPorts('KAFKA_BROKERS'),
  },
  KAFKA_TOPIC: { about: 'the topic for the events, created if it does not exist', fallback: 'roughmix.events', read: topic('KAFKA_TOPIC', 'roughmix.events') },
  KAFKA_REPLICATION: {
    about: "how many brokers keep each event; the topic is created so and checked at the start; the broker's default without it",
    read: wholeOrNone('KAFKA_REPLICATION', 1, MOST_BROKERS),
  },
  KAFKA_MIN_ISR: {
    about: "how many of them must have an event before it counts as published; the broker's default without it",
    read: wholeOrNone('KAFKA_MIN_ISR', 1, MOST_BROKERS),
  },
  KAFKA_TLS: { about: 'true or false: whether to connect to the brokers with TLS', fallback: 'false', read: oneOf('KAFKA_TLS', ['true', 'false'], 'false') },
  KAFKA_CA_FILE: {
    about: 'certificates (PEM) of the authority to trust for the brokers; without it those that Node trusts',
    read: certificatesIn('KAFKA_CA_FILE'),
  },
  KAFKA_SASL: { about: KAFKA_SASL.join(', '), fallback: 'scram-sha-512', read: oneOf('KAFKA_SASL', KAFKA_SASL, 'scram-sha-512') },
  KAFKA_USERNAME: { about: 'the user for the brokers; without it there is no authentication', read: word('KAFKA_USERNAME') },
  KAFKA_PASSWORD: { about: 'the password of KAFKA_USERNAME', secret: true, read: word('KAFKA_PASSWORD') },
  SMTP_URL: { about: 'a mail server; without it e-mails go to DATA_DIR/outbox', secret: true, read: mailServer('SMTP_URL') },
  MAIL_FROM: {
    about: 'the sender of e-mails; Roughmix <noreply@{host of PUBLIC_URL}> by default',
    read: senderOrNone('MAIL_FROM'),
  },
  SUPPORT_EMAIL: {
    about: 'the address that users see and that invite requests and contact messages are e-mailed to; without it they are only listed',
    read: oneAddress('SUPPORT_EMAIL'),
  },
  VAPID_PUBLIC_KEY: {
    about: 'the public key that browsers subscribe to push messages with; without it and its private key a pair is derived from a key in the vault',
    read: rawKey('VAPID_PUBLIC_KEY', 65),
  },
  VAPID_PRIVATE_KEY: { about: 'the private key of VAPID_PUBLIC_KEY, which signs push messages', secret: true, read: rawKey('VAPID_PRIVATE_KEY', 32) },
  TRUST_PROXY: {
    about: 'the proxies whose X-Forwarded-For counts: comma-separated addresses or ranges, or how many each request passes; none by default',
    read: proxies('TRUST_PROXY'),
  },
  OUTBOUND: {
    about: 'public or none: whether requests go to addresses that users gave, such as push endpoints; only ever to public addresses',
    fallback: 'public',
    read: oneOf('OUTBOUND', ['public', 'none'], 'public'),
  },
  OUTBOUND_ALLOW: {
    about: 'hosts that are exempt from the rules for such requests, as HOST:PORT, separated by commas; for tests and intranets',
    read: hostsWithPorts('OUTBOUND_ALLOW'),
  },
  LOG_LEVEL: { about: LEVELS.join(', '), fallback: 'info', read: oneOf('LOG_LEVEL', LEVELS, 'info') },
  LOG_FORMAT: {
    about: 'auto, json or pretty; auto is pretty on a terminal, otherwise json',
    fallback: 'auto',
    read: oneOf('LOG_FORMAT', ['auto', 'json', 'pretty'], 'auto'),
  },
  LOG_ADDRESSES: {
    about: "true or false: whether request and security logs carry the client's address",
    fallback: 'true',
    read: oneOf('LOG_ADDRESSES', ['true', 'false'], 'true'),
  },
  TRASH_DAYS: { about: 'days until the files of removed items are deleted', fallback: '30', read: whole('TRASH_DAYS', 30, 0, 3650) },
  INQUIRY_DAYS: { about: 'days until invite requests and contact messages are deleted', fallback: '90', read: whole('INQUIRY_DAYS', 90, 0, 3650) },
  AUDIO_LIMIT: { about: 'bytes that an audio file must stay below', fallback: '48000000', read: whole('AUDIO_LIMIT', 48_000_000, 1, LARGE) },
  VERSION_PICKER_LIMIT: {
    about: 'the most bytes of a file that the form for a new version accepts',
    fallback: '31457280',
    read: whole('VERSION_PICKER_LIMIT', 31_457_280, 1, LARGE),
  },
  QUOTA_BYTES: {
    about: 'the most bytes that the files of one account may take, those in the trash included',
    fallback: '20000000000',
    read: whole('QUOTA_BYTES', 20_000_000_000, 0, Number.MAX_SAFE_INTEGER),
  },
  QUOTA_PROJECTS: { about: 'the most projects that one account may own', fallback: '1000', read: whole('QUOTA_PROJECTS', 1_000, 0, MANY) },
  QUOTA_VERSIONS: { about: 'the most versions that one project may have', fallback: '200', read: whole('QUOTA_VERSIONS', 200, 1, MANY) },
  DISK_RESERVE: {
    about: 'bytes on the disk of DATA_DIR that files may not take, so that everything else can always be written; without effect on S3',
    fallback: '1000000000',
    read: whole('DISK_RESERVE', 1_000_000_000, 0, Number.MAX_SAFE_INTEGER),
  },
  ERASURES_FILE: {
    about: 'the list of erased users, outside the data and its backups; DATA_DIR.erasures.ndjson by default',
    read: fileOrNone,
  },
  THROTTLE_ADDRESS_PASSWORDS: {
    about: 'wrong passwords from one address in 15 minutes',
    fallback: '50',
    read: whole('THROTTLE_ADDRESS_PASSWORDS', 50, 1, MANY),
  },
  THROTTLE_ACCOUNT_PASSWORDS: {
    about: 'wrong passwords for one account from one network, or in one known browser, in 15 minutes; from all networks ten times as many',
    fallback: '10',
    read: whole('THROTTLE_ACCOUNT_PASSWORDS', 10, 1, MANY),
  },
  THROTTLE_RESET_MISSES: {
    about: 'unknown addresses, reset links and invite links from one address in an hour',
    fallback: '5',
    read: whole('THROTTLE_RESET_MISSES', 5, 1, MANY),
  },
  PASSWORD_RESET_DISCREET: {
    about: 'true or false: whether a password reset is answered alike with and without an account; then every request counts as a miss',
    fallback: 'false',
    read: oneOf('PASSWORD_RESET_DISCREET', ['true', 'false'], 'false'),
  },
  THROTTLE_ADMIN_KEYS: { about: 'wrong admin keys from one address in 15 minutes', fallback: '5', read: whole('THROTTLE_ADMIN_KEYS', 5, 1, MANY) },
  THROTTLE_INVITE_REQUESTS: { about: 'invite requests from one address in an hour', fallback: '10', read: whole('THROTTLE_INVITE_REQUESTS', 10, 1, MANY) },
  THROTTLE_CONTACT: { about: 'contact messages from one address in an hour', fallback: '5', read: whole('THROTTLE_CONTACT', 5, 1, MANY) },
  THROTTLE_GUESTS: { about: 'guest sessions started from one address in 15 minutes', fallback: '100', read: whole('THROTTLE_GUESTS', 100, 1, MANY) },
} as const satisfies Readonly<Record<string, Variable<unknown>>>;

type Names = keyof typeof VARIABLES;
/** The program's configuration, checked. */
export type Config = { readonly [Name in Names]: ReturnType<(typeof VARIABLES)[Name]['read']> };

const variables: readonly (readonly [name: string, variable: Variable<unknown>])[] = Object.entries(VARIABLES);

/** Every mistake in the environment. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly problems: readonly string[]) {
    super(problems.length === 1 ? `Invalid setting: ${problems[0] ?? ''}` : `Invalid settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** An empty variable counts as unset. */
const given = (text: string | undefined): string | undefined => (text === undefined || text.trim() === '' ? undefined : text.trim());

function textOf(name: string, variable: Variable<unknown>, environment: NodeJS.ProcessEnv): string | undefined {
  const text = given(environment[name]);
  const file = variable.secret === true ? given(environment[`${name}_FILE`]) : undefined;
  if (file === undefined) return text;
  if (text !== undefined) throw new Error(`${name} and ${name}_FILE are both set; keep one`);
  return secretIn(name, file);
}

function secretIn(name: string, file: string): string {
  const text = given(textIn(`${name}_FILE`, file));
  if (text === undefined) throw new Error(`${name}_FILE: ${file} is empty`);
  return text;
}

/** Reads and checks the environment. Secrets can also be read from the file named by `NAME_FILE`. Opens and creates nothing else. @throws ConfigError */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, variable] of variables) {
    try {
      config[name] = variable.read(textOf(name, variable, environment));
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  problems.push(...conflictsIn(config));
  if (problems.length > 0) throw new ConfigError(problems);
  return config as Config;
}

/** The name of every variable, `NAME_FILE` of secrets too. */
export const variableNames = (): readonly string[] => variables.flatMap(([name, { secret }]) => (secret === true ? [name, `${name}_FILE`] : [name]));

/** The text of `.env.example`. */
export const envExample = (): string =>
  variables.map(([name, { about, secret, fallback = '' }]) => `# ${about}${secret === true ? `; or ${name}_FILE` : ''}\n# ${name}=${fallback}\n`).join('\n');
