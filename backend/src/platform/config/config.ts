import { readFileSync } from 'node:fs';
import {
  brokers,
  bucket,
  type Form,
  fileOrNone,
  folder,
  host,
  mailServer,
  oneOf,
  origin,
  proxies,
  roles,
  secretKey,
  sender,
  server,
  topic,
  whole,
  wholeOrNone,
  word,
} from './config-forms.js';
import { conflictsIn } from './config-conflicts.js';
import { systemCode } from '../durable-file.js';

export type { AppRole } from './config-forms.js';

/** How one variable is read: its meaning and its default (for `.env.example`), and what it must look like. */
interface Variable<Value> {
  readonly about: string;
  /** What holds when it is not set, as one would write it; missing where the meaning says it. */
  readonly fallback?: string;
  readonly secret?: boolean;
  readonly read: Form<Value>;
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const KAFKA_SASL = ['scram-sha-512', 'scram-sha-256', 'plain'] as const;
const LAST_PORT = 65_535;
const MANY = 1_000_000;

/** Every variable that the program reads. The one place that states them. */
const VARIABLES = {
  HOST: { about: 'the address to listen on', fallback: '127.0.0.1', read: host('HOST', '127.0.0.1') },
  PORT: { about: 'the port to listen on; 0 takes any free one and prints it', fallback: '3000', read: whole('PORT', 3000, 0, LAST_PORT) },
  METRICS_PORT: {
    about: 'a port of its own for /metrics and the details of /health/ready; without it there are no metrics, and the details are told on PORT',
    read: wholeOrNone('METRICS_PORT', 0, LAST_PORT),
  },
  PUBLIC_URL: { about: 'where browsers open it; http://localhost:PORT when missing', read: origin('PUBLIC_URL') },
  DATA_DIR: { about: 'the folder that holds everything of the embedded default', fallback: './data', read: folder('data') },
  ROLES: {
    about: 'what this process does; less than all three needs EVENTSTORE_URL, MONGO_URL and S3_ENDPOINT',
    fallback: 'web,projector,reactor',
    read: roles('ROLES'),
  },
  ADMIN_KEY: { about: 'the secret key of /api/admin/{key}; made in DATA_DIR at the first start', secret: true, read: secretKey('ADMIN_KEY') },
  MASTER_KEY: { about: "the key that wraps the vault's keys; made in DATA_DIR at the first start", secret: true, read: secretKey('MASTER_KEY') },
  EVENTSTORE_URL: {
    about: 'EventStoreDB for the log, as esdb://USER:PASSWORD@HOST:2113?tls=true; without it the log lies in DATA_DIR',
    secret: true,
    read: server('EVENTSTORE_URL', 'esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover'),
  },
  MONGO_URL: {
    about: 'MongoDB for read models and the vault, as mongodb://HOST:27017/roughmix; without it they lie in DATA_DIR',
    secret: true,
    read: server('MONGO_URL', 'mongodb', 'mongodb+srv'),
  },
  S3_ENDPOINT: { about: 'an S3 server for files, as this process reaches it; without it they lie in DATA_DIR', read: origin('S3_ENDPOINT') },
  S3_PUBLIC_ENDPOINT: { about: 'the S3 server as browsers reach it; S3_ENDPOINT when missing', read: origin('S3_PUBLIC_ENDPOINT') },
  S3_REGION: { about: 'its region', fallback: 'us-east-1', read: (text) => word('S3_REGION')(text) ?? 'us-east-1' },
  S3_BUCKET: { about: 'its bucket, which is there already', fallback: 'roughmix', read: bucket('S3_BUCKET', 'roughmix') },
  S3_ACCESS_KEY_ID: { about: 'whose key may read and write in it', secret: true, read: word('S3_ACCESS_KEY_ID') },
  S3_SECRET_ACCESS_KEY: { about: 'that key', secret: true, read: word('S3_SECRET_ACCESS_KEY') },
  KAFKA_BROKERS: {
    about: 'brokers of Kafka, HOST:PORT comma-separated: every event is published there; without them none is',
    read: brokers('KAFKA_BROKERS'),
  },
  KAFKA_TOPIC: { about: 'the topic of the events, made when it is missing', fallback: 'roughmix.events', read: topic('KAFKA_TOPIC', 'roughmix.events') },
  KAFKA_TLS: { about: 'true or false: whether the brokers speak TLS', fallback: 'false', read: oneOf('KAFKA_TLS', ['true', 'false'], 'false') },
  KAFKA_SASL: { about: KAFKA_SASL.join(', '), fallback: 'scram-sha-512', read: oneOf('KAFKA_SASL', KAFKA_SASL, 'scram-sha-512') },
  KAFKA_USERNAME: { about: 'who publishes; without it nobody is asked', read: word('KAFKA_USERNAME') },
  KAFKA_PASSWORD: { about: 'the password of KAFKA_USERNAME', secret: true, read: word('KAFKA_PASSWORD') },
  SMTP_URL: { about: 'a mail server; without it e-mails go to DATA_DIR/outbox', secret: true, read: mailServer('SMTP_URL') },
  MAIL_FROM: {
    about: 'the sender of e-mails',
    fallback: 'Roughmix <roughmix@localhost>',
    read: sender('MAIL_FROM', 'Roughmix <roughmix@localhost>'),
  },
  TRUST_PROXY: { about: 'the proxies whose X-Forwarded-For counts, comma-separated addresses or ranges; none when missing', read: proxies('TRUST_PROXY') },
  LOG_LEVEL: { about: LEVELS.join(', '), fallback: 'info', read: oneOf('LOG_LEVEL', LEVELS, 'info') },
  LOG_FORMAT: { about: 'json or pretty', fallback: 'json', read: oneOf('LOG_FORMAT', ['json', 'pretty'], 'json') },
  TRASH_DAYS: { about: 'how long files of removed things wait before they are deleted', fallback: '30', read: whole('TRASH_DAYS', 30, 0, 3650) },
  ERASURES_FILE: {
    about: 'where erasures of people are noted, outside the data and its backups; DATA_DIR.erasures.ndjson when missing',
    read: fileOrNone,
  },
  THROTTLE_ADDRESS_PASSWORDS: {
    about: 'wrong passwords of one address in 15 minutes',
    fallback: '50',
    read: whole('THROTTLE_ADDRESS_PASSWORDS', 50, 1, MANY),
  },
  THROTTLE_ACCOUNT_PASSWORDS: {
    about: 'wrong passwords of one account in 15 minutes',
    fallback: '10',
    read: whole('THROTTLE_ACCOUNT_PASSWORDS', 10, 1, MANY),
  },
  THROTTLE_ADMIN_KEYS: { about: 'wrong admin keys of one address in 15 minutes', fallback: '5', read: whole('THROTTLE_ADMIN_KEYS', 5, 1, MANY) },
  THROTTLE_GUESTS: { about: 'guest sessions begun by one address in 15 minutes', fallback: '100', read: whole('THROTTLE_GUESTS', 100, 1, MANY) },
} as const satisfies Readonly<Record<string, Variable<unknown>>>;

type Names = keyof typeof VARIABLES;
/** The program's configuration, checked. */
export type Config = { readonly [Name in Names]: ReturnType<(typeof VARIABLES)[Name]['read']> };

const variables: readonly (readonly [name: string, variable: Variable<unknown>])[] = Object.entries(VARIABLES);

/** Everything that is wrong with the environment, at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly problems: readonly string[]) {
    super(`the environment does not fit:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** An empty variable counts as none. */
const given = (text: string | undefined): string | undefined => (text === undefined || text.trim() === '' ? undefined : text.trim());

function textOf(name: string, variable: Variable<unknown>, environment: NodeJS.ProcessEnv): string | undefined {
  const text = given(environment[name]);
  const file = variable.secret === true ? given(environment[`${name}_FILE`]) : undefined;
  if (file === undefined) return text;
  if (text !== undefined) throw new Error(`${name}: given itself and by ${name}_FILE; one of them`);
  return secretIn(name, file);
}

function secretIn(name: string, file: string): string {
  let text: string | undefined;
  try {
    text = given(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${name}_FILE: ${file} cannot be read (${systemCode(error) ?? 'no file'})`, { cause: error });
  }
  if (text === undefined) throw new Error(`${name}_FILE: ${file} is empty`);
  return text;
}

/** Reads and checks the environment; each secret may also lie in the file that `NAME_FILE` names. Nothing is opened or made. @throws ConfigError */
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
