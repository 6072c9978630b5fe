import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, test } from '@jest/globals';
import { ConfigError, envExample, readConfig, variableNames } from './config.js';
import { publicUrlWarning, warningsOf } from './config-warnings.js';

const folder = mkdtempSync(join(tmpdir(), 'roughmix-config-'));

/** Creates a file with this text. */
function fileWith(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

function problemsOf(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test('every variable has a default', () => {
  expect(readConfig({})).toMatchObject({
    HOST: '127.0.0.1',
    PORT: 3000,
    METRICS_PORT: null,
    PUBLIC_URL: null,
    ROLES: ['web', 'projector', 'reactor'],
    ADMIN_KEY: null,
    TRUST_PROXY: null,
    LOG_LEVEL: 'info',
    LOG_FORMAT: 'auto',
    TRASH_DAYS: 30,
    SUPPORT_EMAIL: null,
    INQUIRY_DAYS: 90,
    AUDIO_LIMIT: 48_000_000,
    VERSION_PICKER_LIMIT: 31_457_280,
  });
});

test('every mistake is reported at once', () => {
  const wrong = { PORT: 'eighty', PUBLIC_URL: 'roughmix.example', ADMIN_KEY: 'short', ROLES: 'web', TRASH_DAYS: '-1', LOG_LEVEL: 'loud' };
  expect(problemsOf(wrong)).toEqual([
    'PORT must be a whole number from 0 to 65535',
    'PUBLIC_URL must start with http:// or https://',
    'ADMIN_KEY needs at least 128 random bits: 22 characters or more of letters of both cases and digits, 32 of hexadecimal, without repetition',
    'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent',
    'TRASH_DAYS must be a whole number from 0 to 3650',
    'ROLES needs EVENTSTORE_URL, MONGO_URL and S3_ENDPOINT unless it names all three roles',
  ]);
});

const SITE = 'PUBLIC_URL must not contain a path, a query or credentials';
const SMTP = 'SMTP_URL must start with smtp:// or smtps:// and name a server';
const PROXIES = 'TRUST_PROXY: addresses, ranges as in 10.0.0.0/8, or loopback, linklocal, uniquelocal, separated by commas, or the number of proxies';

test.each<[name: string, text: string, problem: string | null]>([
  ['HOST', '::1', null],
  ['HOST', 'mix.example', null],
  ['HOST', 'http://x', 'HOST must be an address or a host name to listen on'],
  ['PORT', '0', null],
  ['PORT', '80.5', 'PORT must be a whole number from 0 to 65535'],
  ['PORT', '65536', 'PORT must be a whole number from 0 to 65535'],
  ['METRICS_PORT', '9464', null],
  ['METRICS_PORT', 'x', 'METRICS_PORT must be a whole number from 0 to 65535'],
  ['METRICS_PORT', '3000', 'METRICS_PORT must differ from PORT'],
  ['PUBLIC_URL', 'https://mix.example:8443/', null],
  ['PUBLIC_URL', 'https://mix.example/band', SITE],
  ['PUBLIC_URL', 'https://mix.example?x', SITE],
  ['PUBLIC_URL', 'https://ana:secret@mix.example', SITE],
  ['PUBLIC_URL', 'ftp://mix.example', 'PUBLIC_URL must start with http:// or https://'],
  ['SMTP_URL', 'smtps://ana:secret@mail.example:465', null],
  ['SMTP_URL', 'mail.example', SMTP],
  ['SMTP_URL', 'smtp://', SMTP],
  ['SMTP_URL', 'https://mail.example', SMTP],
  ['MAIL_FROM', 'mix@example.org', null],
  ['MAIL_FROM', 'Roughmix <mix@example.org>', null],
  ['MAIL_FROM', 'Roughmix', 'MAIL_FROM must be an address, or a name and <an address>'],
  ['SUPPORT_EMAIL', 'help@example.org', null],
  ['SUPPORT_EMAIL', 'Help <help@example.org>', 'SUPPORT_EMAIL must be one e-mail address'],
  ['SUPPORT_EMAIL', 'help@example.org, you@example.org', 'SUPPORT_EMAIL must be one e-mail address'],
  ['TRUST_PROXY', '10.0.0.0/8, ::1,loopback', null],
  ['TRUST_PROXY', '1', null],
  ['TRUST_PROXY', '0', PROXIES],
  ['TRUST_PROXY', 'true', PROXIES],
  ['TRUST_PROXY', '10.0.0.0/33', PROXIES],
  ['TRUST_PROXY', 'proxy.example', PROXIES],
  ['OUTBOUND', 'none', null],
  ['OUTBOUND', 'private', 'OUTBOUND must be one of public, none'],
  ['OUTBOUND_ALLOW', 'push.example:8443, [::1]:443', null],
  ['OUTBOUND_ALLOW', 'push.example', 'OUTBOUND_ALLOW must be HOST:PORT, separated by commas'],
  ['LOG_FORMAT', 'pretty', null],
  ['LOG_FORMAT', 'xml', 'LOG_FORMAT must be one of auto, json, pretty'],
  ['ROLES', 'web,chef', 'ROLES must be some of web, projector, reactor'],
])('%s=%s', (name, text, problem) => {
  expect(problemsOf({ [name]: text })).toEqual(problem === null ? [] : [problem]);
});

const KEY = 'a-key-that-is-long-enough';
const ESDB = 'EVENTSTORE_URL must start with esdb:// or esdb+discover:// or kurrentdb:// or kurrentdb+discover:// and name a server';
const MONGO = 'MONGO_URL must start with mongodb:// or mongodb+srv:// and name a server';

describe('real servers', () => {
  const keys = { ADMIN_KEY: KEY, MASTER_KEY: `${KEY}-2` };
  const all = {
    ...keys,
    EVENTSTORE_URL: 'esdb://one:2113?tls=false',
    MONGO_URL: 'mongodb://ana:secret@one:27017,two:27017/mix?replicaSet=rs0',
    S3_ENDPOINT: 'http://s3:7070',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  };

  test('are each selected by their own variable, and all of them together allow processes to share the work', () => {
    expect(problemsOf(all)).toEqual([]);
    expect(readConfig({ ...all, ROLES: 'projector, web' }).ROLES).toEqual(['web', 'projector']);
    for (const name of ['EVENTSTORE_URL', 'MONGO_URL']) expect(problemsOf({ ...all, ROLES: 'web', [name]: '' })).toEqual([expect.stringContaining('ROLES')]);
  });

  test('Kafka needs a user and a password together, and never sends the password unencrypted', () => {
    const kafka = { KAFKA_BROKERS: 'one:9092, [::1]:9092', KAFKA_USERNAME: 'mix', KAFKA_PASSWORD: 'secret' };
    expect(readConfig(kafka)).toMatchObject({ KAFKA_BROKERS: ['one:9092', '[::1]:9092'], KAFKA_TOPIC: 'roughmix.events', KAFKA_SASL: 'scram-sha-512' });
    expect(problemsOf({ ...kafka, KAFKA_PASSWORD: '' })).toEqual(['KAFKA_PASSWORD is required with KAFKA_USERNAME']);
    expect(problemsOf({ ...kafka, KAFKA_BROKERS: '', KAFKA_PASSWORD: '' })).toEqual(['KAFKA_USERNAME has no effect without KAFKA_BROKERS']);
    expect(problemsOf({ ...kafka, KAFKA_SASL: 'plain' })).toEqual(['KAFKA_SASL=plain sends the password unencrypted, so it needs KAFKA_TLS=true']);
    expect(problemsOf({ ...kafka, KAFKA_SASL: 'plain', KAFKA_TLS: 'true' })).toEqual([]);
  });

  test('Kafka cannot ask for more acknowledgements than copies of an event', () => {
    const kafka = { KAFKA_BROKERS: 'one:9092', KAFKA_REPLICATION: '3', KAFKA_MIN_ISR: '2' };
    expect(readConfig(kafka)).toMatchObject({ KAFKA_REPLICATION: 3, KAFKA_MIN_ISR: 2 });
    expect(problemsOf({ ...kafka, KAFKA_MIN_ISR: '4' })).toEqual(['KAFKA_MIN_ISR must not exceed KAFKA_REPLICATION']);
    expect(problemsOf({ ...kafka, KAFKA_REPLICATION: '' })).toEqual(['KAFKA_MIN_ISR needs KAFKA_REPLICATION']);
    expect(problemsOf({ KAFKA_MIN_ISR: '2' })).toEqual(['KAFKA_MIN_ISR has no effect without KAFKA_BROKERS']);
  });

  test('need keys from the environment, not keys generated in a data folder', () => {
    expect(problemsOf({ MONGO_URL: all.MONGO_URL, MASTER_KEY: KEY })).toEqual(['ADMIN_KEY is required with MONGO_URL']);
    expect(problemsOf({ EVENTSTORE_URL: all.EVENTSTORE_URL, MONGO_URL: all.MONGO_URL })).toEqual([
      'ADMIN_KEY is required with EVENTSTORE_URL and MONGO_URL',
      'MASTER_KEY is required with EVENTSTORE_URL and MONGO_URL',
    ]);
    expect(problemsOf({ ...all, ADMIN_KEY: '', ROLES: 'projector,reactor' })).toEqual([]);
    expect(problemsOf({ ...all, ADMIN_KEY: '', ROLES: 'web,reactor' })).toEqual(['ADMIN_KEY is required with EVENTSTORE_URL and MONGO_URL']);
  });

  test('S3 needs both of its keys or none, and the keys need an S3 server', () => {
    expect(problemsOf({ S3_ENDPOINT: all.S3_ENDPOINT, S3_ACCESS_KEY_ID: 'key' })).toEqual(['S3_SECRET_ACCESS_KEY is required with S3_ACCESS_KEY_ID']);
    expect(problemsOf({ S3_ENDPOINT: all.S3_ENDPOINT })).toEqual([]);
    expect(problemsOf({ S3_SECRET_ACCESS_KEY: 'secret', S3_PUBLIC_ENDPOINT: 'https://files.example' })).toEqual([
      'S3_PUBLIC_ENDPOINT has no effect without S3_ENDPOINT',
      'S3_SECRET_ACCESS_KEY has no effect without S3_ENDPOINT',
    ]);
    expect(problemsOf({ ...all, S3_BUCKET: 'Mix' })).toEqual(['S3_BUCKET must be 3 to 63 lower-case letters, digits, dots and dashes']);
  });

  test.each([
    ['EVENTSTORE_URL', 'http://one:2113', ESDB],
    ['EVENTSTORE_URL', 'esdb://', ESDB],
    ['EVENTSTORE_URL', 'esdb://one:2113', 'EVENTSTORE_URL needs a user and a password with TLS, as in esdb://USER:PASSWORD@HOST:2113?tls=true'],
    ['EVENTSTORE_URL', 'esdb://ana:50%@one:2113', 'EVENTSTORE_URL: write a percent sign in user or password as %25'],
    ['MONGO_URL', 'one:27017', MONGO],
    ['MONGO_URL', 'mongodb://ana:secret@', MONGO],
    ['KAFKA_BROKERS', 'kafka', 'KAFKA_BROKERS must be HOST:PORT, separated by commas'],
    ['KAFKA_BROKERS', 'one:9092 two:9092', 'KAFKA_BROKERS must be HOST:PORT, separated by commas'],
    ['KAFKA_TOPIC', 'mix/events', 'KAFKA_TOPIC must be at most 249 letters, digits, dots, dashes and underscores'],
    ['KAFKA_TLS', 'yes', 'KAFKA_TLS must be one of true, false'],
    ['S3_ENDPOINT', 'http://s3:7070/bucket', 'S3_ENDPOINT must not contain a path, a query or credentials'],
  ])('%s=%s', (name, text, problem) => {
    expect(problemsOf({ ...all, [name]: text })).toEqual([problem]);
  });
});

describe('the keys of push messages', () => {
  /** The sender of RFC 8291, appendix A, and the private key of its receiver. */
  const VAPID_PUBLIC_KEY = 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8';
  const VAPID_PRIVATE_KEY = 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw';
  const OTHER = 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94';

  test('come together, the private one also from a file', () => {
    expect(readConfig({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY })).toMatchObject({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY });
    expect(problemsOf({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY_FILE: fileWith('vapid', VAPID_PRIVATE_KEY) })).toEqual([]);
    expect(problemsOf({ VAPID_PUBLIC_KEY })).toEqual(['VAPID_PRIVATE_KEY is required with VAPID_PUBLIC_KEY']);
    expect(problemsOf({ VAPID_PRIVATE_KEY })).toEqual(['VAPID_PUBLIC_KEY is required with VAPID_PRIVATE_KEY']);
  });

  test.each([
    [VAPID_PUBLIC_KEY, OTHER, 'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY must belong to each other'],
    [VAPID_PUBLIC_KEY, `${'_'.repeat(42)}8`, 'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY must belong to each other'],
    [VAPID_PRIVATE_KEY, VAPID_PRIVATE_KEY, 'VAPID_PUBLIC_KEY must be 65 bytes in base64url'],
    [VAPID_PUBLIC_KEY, `${VAPID_PRIVATE_KEY}=`, 'VAPID_PRIVATE_KEY must be 32 bytes in base64url'],
  ])('%s with %s: %s', (publicKey, privateKey, problem) => {
    expect(problemsOf({ VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey })).toEqual([problem]);
  });
});

test('PORT and METRICS_PORT can both be 0', () => {
  expect(problemsOf({ PORT: '0', METRICS_PORT: '0' })).toEqual([]);
});

test('PUBLIC_URL loses its trailing slash', () => {
  expect(readConfig({ PUBLIC_URL: 'https://Mix.example/' }).PUBLIC_URL).toBe('https://mix.example');
});

test('a secret can be read from a file', () => {
  const file = fileWith('key', 'a-key-that-is-long-enough\n');
  expect(readConfig({ ADMIN_KEY_FILE: file, ADMIN_KEY: '' }).ADMIN_KEY).toBe('a-key-that-is-long-enough');
});

test('missing, empty and duplicate secret files are reported by name, without the secret', () => {
  const empty = fileWith('empty', ' \n');
  const key = fileWith('other', 'a-key-that-is-long-enough');
  const missing = join(folder, 'nothing');
  expect(problemsOf({ ADMIN_KEY_FILE: missing, MASTER_KEY_FILE: empty, SMTP_URL: 'smtp://secret.example', SMTP_URL_FILE: key })).toEqual([
    `ADMIN_KEY_FILE: ${missing} cannot be read (ENOENT)`,
    `MASTER_KEY_FILE: ${empty} is empty`,
    'SMTP_URL and SMTP_URL_FILE are both set; keep one',
  ]);
  expect(problemsOf({ ADMIN_KEY_FILE: folder })).toEqual([`ADMIN_KEY_FILE: ${folder} cannot be read (EISDIR)`]);
});

test('KAFKA_CA_FILE is read, must contain a certificate, and needs TLS', () => {
  const authority = rootCertificates[0] ?? '';
  const KAFKA_CA_FILE = fileWith('ca.crt', authority);
  const kafka = { KAFKA_BROKERS: 'one:9092', KAFKA_TLS: 'true', KAFKA_CA_FILE };
  expect(readConfig(kafka).KAFKA_CA_FILE).toBe(authority);
  expect(problemsOf({ ...kafka, KAFKA_TLS: '' })).toEqual(['KAFKA_CA_FILE needs KAFKA_TLS=true']);
  expect(problemsOf({ KAFKA_CA_FILE })).toEqual(['KAFKA_CA_FILE has no effect without KAFKA_BROKERS']);
  const [missing, other] = [join(folder, 'no-authority'), fileWith('other.crt', 'no certificate')];
  expect(problemsOf({ ...kafka, KAFKA_CA_FILE: missing })).toEqual([`KAFKA_CA_FILE: ${missing} cannot be read (ENOENT)`]);
  expect(problemsOf({ ...kafka, KAFKA_CA_FILE: other })).toEqual([`KAFKA_CA_FILE: ${other} contains no certificate in PEM`]);
});

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: '', SMTP_URL: ' ' })).toMatchObject({ PORT: 3000, SMTP_URL: null });
});

test('variables that seem to be meant for the program but have no effect are reported without their values', () => {
  const environment = {
    PORT: '80',
    PUBLIC_URI: 'https://mix.example',
    ROLE: 'web',
    LOGLEVEL: 'warn',
    PORT_FILE: '/run/port',
    ROUGHMIX_ADMIN: 'secret',
    THROTTLE_LOGINS: '3',
    MONGO_URI: 'mongodb://ana:secret@mongo',
    HOME: '/home/ana',
    HOSTNAME: 'here',
    PATH: '/bin',
    SMTP_URI: '',
  };
  expect(warningsOf(environment)).toEqual([
    'LOGLEVEL is unknown; did you mean LOG_LEVEL?',
    'MONGO_URI is unknown; did you mean MONGO_URL?',
    'PORT_FILE is unknown; only secrets can be read from files',
    'PUBLIC_URI is unknown; did you mean PUBLIC_URL?',
    'ROLE is unknown; did you mean ROLES?',
    'ROUGHMIX_ADMIN is unknown',
    'THROTTLE_LOGINS is unknown',
  ]);
});

test('with a vault on a server a missing ERASURES_FILE is reported', () => {
  const warning = 'ERASURES_FILE is not set, so erased users are listed beside DATA_DIR; set it to a durable file that all processes share';
  expect(warningsOf({ MONGO_URL: 'mongodb://db/' })).toEqual([warning]);
  expect(warningsOf({ MONGO_URL_FILE: '/run/keys/mongo-url', ERASURES_FILE: '' })).toEqual([warning]);
  expect(warningsOf({ MONGO_URL: 'mongodb://db/', ERASURES_FILE: '/erasures/erasures.ndjson' })).toEqual([]);
  expect(warningsOf({})).toEqual([]);
});

test.each<[warned: boolean, environment: NodeJS.ProcessEnv]>([
  [true, { HOST: '0.0.0.0' }],
  [true, { HOST: '::', PUBLIC_URL: 'http://localhost:3000' }],
  [true, { HOST: '192.168.1.5', PUBLIC_URL: 'http://127.0.0.1:3000' }],
  [true, { HOST: 'mix.lan', PUBLIC_URL: 'http://[::1]:3000' }],
  [false, { HOST: '0.0.0.0', PUBLIC_URL: 'http://mix.lan:3000' }],
  [false, { PUBLIC_URL: 'http://localhost:3000' }],
  [false, { HOST: '127.0.0.2' }],
  [false, { HOST: '::1' }],
  [false, { HOST: 'localhost', PUBLIC_URL: 'https://mix.example' }],
])('a HOST for other machines with a PUBLIC_URL for this one is reported: %s for %j', (isWarned, environment) => {
  const warning =
    'HOST lets other machines connect, but PUBLIC_URL leads to localhost, and pages opened at any other address are refused; set PUBLIC_URL to the address that browsers open';
  expect(publicUrlWarning(environment)).toEqual(isWarned ? [warning] : []);
});

/** Variables that name a file but are no secret's. */
const FILES = ['ERASURES_FILE', 'KAFKA_CA_FILE'];

test('.env.example is generated from the list of variables and has every default', () => {
  const text = readFileSync('.env.example', 'utf8');
  expect(text).toBe(envExample());
  const set = Object.fromEntries([...text.matchAll(/^# ([A-Z0-9_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
  expect(readConfig(set)).toEqual(readConfig({}));
  expect(Object.keys(set)).toEqual(variableNames().filter((name) => FILES.includes(name) || !name.endsWith('_FILE')));
});
