import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ConfigError, envExample, readConfig, variableNames } from './config.js';
import { warningsOf } from './config-warnings.js';

const folder = mkdtempSync(join(tmpdir(), 'roughmix-config-'));

/** A file with this text. */
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

test('without an environment everything has its default', () => {
  expect(readConfig({})).toMatchObject({
    HOST: '127.0.0.1',
    PORT: 3000,
    METRICS_PORT: null,
    PUBLIC_URL: null,
    ROLES: ['web', 'projector', 'reactor'],
    ADMIN_KEY: null,
    TRUST_PROXY: null,
    LOG_LEVEL: 'info',
    LOG_FORMAT: 'json',
    TRASH_DAYS: 30,
  });
});

test('everything that is wrong is said at once', () => {
  const wrong = { PORT: 'eighty', PUBLIC_URL: 'roughmix.example', ADMIN_KEY: 'short', ROLES: 'web', TRASH_DAYS: '-1', LOG_LEVEL: 'loud' };
  expect(problemsOf(wrong)).toEqual([
    'PORT: a whole number from 0 to 65535',
    'PUBLIC_URL: an address that begins with http:// or https://',
    'ADMIN_KEY: at least 128 random bits: 22 characters or more of letters of both cases and digits, 32 of hexadecimal, without repetition',
    'LOG_LEVEL: one of trace, debug, info, warn, error, fatal, silent',
    'TRASH_DAYS: a whole number from 0 to 3650',
    'ROLES: less than all three needs EVENTSTORE_URL, MONGO_URL and S3_ENDPOINT',
  ]);
});

const SITE = 'PUBLIC_URL: without a path, a query or a user';
const SMTP = 'SMTP_URL: an address that begins with smtp:// or smtps:// and names a server';
const PROXIES = 'TRUST_PROXY: addresses, ranges as in 10.0.0.0/8, or loopback, linklocal, uniquelocal, comma-separated';

test.each<[name: string, text: string, problem: string | null]>([
  ['HOST', '::1', null],
  ['HOST', 'mix.example', null],
  ['HOST', 'http://x', 'HOST: an address or a name to listen on'],
  ['PORT', '0', null],
  ['PORT', '80.5', 'PORT: a whole number from 0 to 65535'],
  ['PORT', '65536', 'PORT: a whole number from 0 to 65535'],
  ['METRICS_PORT', '9464', null],
  ['METRICS_PORT', 'x', 'METRICS_PORT: a whole number from 0 to 65535'],
  ['METRICS_PORT', '3000', 'METRICS_PORT: another port than PORT'],
  ['PUBLIC_URL', 'https://mix.example:8443/', null],
  ['PUBLIC_URL', 'https://mix.example/band', SITE],
  ['PUBLIC_URL', 'https://mix.example?x', SITE],
  ['PUBLIC_URL', 'https://ana:secret@mix.example', SITE],
  ['PUBLIC_URL', 'ftp://mix.example', 'PUBLIC_URL: an address that begins with http:// or https://'],
  ['SMTP_URL', 'smtps://ana:secret@mail.example:465', null],
  ['SMTP_URL', 'mail.example', SMTP],
  ['SMTP_URL', 'smtp://', SMTP],
  ['SMTP_URL', 'https://mail.example', SMTP],
  ['MAIL_FROM', 'mix@example.org', null],
  ['MAIL_FROM', 'Roughmix <mix@example.org>', null],
  ['MAIL_FROM', 'Roughmix', 'MAIL_FROM: an address, or a name and <an address>'],
  ['TRUST_PROXY', '10.0.0.0/8, ::1,loopback', null],
  ['TRUST_PROXY', 'true', PROXIES],
  ['TRUST_PROXY', '10.0.0.0/33', PROXIES],
  ['TRUST_PROXY', 'proxy.example', PROXIES],
  ['LOG_FORMAT', 'pretty', null],
  ['LOG_FORMAT', 'xml', 'LOG_FORMAT: one of json, pretty'],
  ['ROLES', 'web,chef', 'ROLES: some of web, projector, reactor'],
])('%s=%s', (name, text, problem) => {
  expect(problemsOf({ [name]: text })).toEqual(problem === null ? [] : [problem]);
});

const KEY = 'a-key-that-is-long-enough';
const ESDB = 'EVENTSTORE_URL: an address that begins with esdb:// or esdb+discover:// or kurrentdb:// or kurrentdb+discover:// and names a server';
const MONGO = 'MONGO_URL: an address that begins with mongodb:// or mongodb+srv:// and names a server';

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

  test('are each chosen by an address of their own, and all together let processes share the work', () => {
    expect(problemsOf(all)).toEqual([]);
    expect(readConfig({ ...all, ROLES: 'projector, web' }).ROLES).toEqual(['web', 'projector']);
    for (const name of ['EVENTSTORE_URL', 'MONGO_URL']) expect(problemsOf({ ...all, ROLES: 'web', [name]: '' })).toEqual([expect.stringContaining('ROLES')]);
  });

  test('Kafka is told who publishes, and a password not where everybody could read it', () => {
    const kafka = { KAFKA_BROKERS: 'one:9092, [::1]:9092', KAFKA_USERNAME: 'mix', KAFKA_PASSWORD: 'secret' };
    expect(readConfig(kafka)).toMatchObject({ KAFKA_BROKERS: ['one:9092', '[::1]:9092'], KAFKA_TOPIC: 'roughmix.events', KAFKA_SASL: 'scram-sha-512' });
    expect(problemsOf({ ...kafka, KAFKA_PASSWORD: '' })).toEqual(['KAFKA_PASSWORD: has to be given with KAFKA_USERNAME']);
    expect(problemsOf({ ...kafka, KAFKA_BROKERS: '', KAFKA_PASSWORD: '' })).toEqual(['KAFKA_USERNAME: means nothing without KAFKA_BROKERS']);
    expect(problemsOf({ ...kafka, KAFKA_SASL: 'plain' })).toEqual(['KAFKA_SASL: plain shows the password to everybody in between, it needs KAFKA_TLS=true']);
    expect(problemsOf({ ...kafka, KAFKA_SASL: 'plain', KAFKA_TLS: 'true' })).toEqual([]);
  });

  test('are not opened with keys that a data folder made', () => {
    expect(problemsOf({ MONGO_URL: all.MONGO_URL, MASTER_KEY: KEY })).toEqual(['ADMIN_KEY: has to be given with MONGO_URL']);
    expect(problemsOf({ EVENTSTORE_URL: all.EVENTSTORE_URL, MONGO_URL: all.MONGO_URL })).toEqual([
      'ADMIN_KEY: has to be given with EVENTSTORE_URL and MONGO_URL',
      'MASTER_KEY: has to be given with EVENTSTORE_URL and MONGO_URL',
    ]);
  });

  test('an S3 server needs its keys, and keys need a server', () => {
    expect(problemsOf({ S3_ENDPOINT: all.S3_ENDPOINT, S3_ACCESS_KEY_ID: 'key' })).toEqual(['S3_SECRET_ACCESS_KEY: has to be given with S3_ENDPOINT']);
    expect(problemsOf({ S3_SECRET_ACCESS_KEY: 'secret', S3_PUBLIC_ENDPOINT: 'https://files.example' })).toEqual([
      'S3_PUBLIC_ENDPOINT: means nothing without S3_ENDPOINT',
      'S3_SECRET_ACCESS_KEY: means nothing without S3_ENDPOINT',
    ]);
    expect(problemsOf({ ...all, S3_BUCKET: 'Mix' })).toEqual(['S3_BUCKET: 3 to 63 small letters, digits, dots and dashes']);
  });

  test.each([
    ['EVENTSTORE_URL', 'http://one:2113', ESDB],
    ['EVENTSTORE_URL', 'esdb://', ESDB],
    ['EVENTSTORE_URL', 'esdb://one:2113', 'EVENTSTORE_URL needs a user and a password with TLS, as in esdb://USER:PASSWORD@HOST:2113?tls=true'],
    ['EVENTSTORE_URL', 'esdb://ana:50%@one:2113', 'EVENTSTORE_URL: a percent sign in user or password stands as %25'],
    ['MONGO_URL', 'one:27017', MONGO],
    ['MONGO_URL', 'mongodb://ana:secret@', MONGO],
    ['KAFKA_BROKERS', 'kafka', 'KAFKA_BROKERS: HOST:PORT, comma-separated'],
    ['KAFKA_BROKERS', 'one:9092 two:9092', 'KAFKA_BROKERS: HOST:PORT, comma-separated'],
    ['KAFKA_TOPIC', 'mix/events', 'KAFKA_TOPIC: at most 249 letters, digits, dots, dashes and underscores'],
    ['KAFKA_TLS', 'yes', 'KAFKA_TLS: one of true, false'],
    ['S3_ENDPOINT', 'http://s3:7070/bucket', 'S3_ENDPOINT: without a path, a query or a user'],
  ])('%s=%s', (name, text, problem) => {
    expect(problemsOf({ ...all, [name]: text })).toEqual([problem]);
  });
});

test('two free ports are two ports', () => {
  expect(problemsOf({ PORT: '0', METRICS_PORT: '0' })).toEqual([]);
});

test('a public address is kept without its slash', () => {
  expect(readConfig({ PUBLIC_URL: 'https://Mix.example/' }).PUBLIC_URL).toBe('https://mix.example');
});

test('a secret may lie in a file', () => {
  const file = fileWith('key', 'a-key-that-is-long-enough\n');
  expect(readConfig({ ADMIN_KEY_FILE: file, ADMIN_KEY: '' }).ADMIN_KEY).toBe('a-key-that-is-long-enough');
});

test('files of secrets that are not there, empty or doubled are told by name, and no secret is', () => {
  const empty = fileWith('empty', ' \n');
  const key = fileWith('other', 'a-key-that-is-long-enough');
  const missing = join(folder, 'nothing');
  expect(problemsOf({ ADMIN_KEY_FILE: missing, MASTER_KEY_FILE: empty, SMTP_URL: 'smtp://secret.example', SMTP_URL_FILE: key })).toEqual([
    `ADMIN_KEY_FILE: ${missing} cannot be read (ENOENT)`,
    `MASTER_KEY_FILE: ${empty} is empty`,
    'SMTP_URL: given itself and by SMTP_URL_FILE; one of them',
  ]);
  expect(problemsOf({ ADMIN_KEY_FILE: folder })).toEqual([`ADMIN_KEY_FILE: ${folder} cannot be read (EISDIR)`]);
});

test('an empty variable counts as none', () => {
  expect(readConfig({ PORT: '', SMTP_URL: ' ' })).toMatchObject({ PORT: 3000, SMTP_URL: null });
});

test('what seems to be meant and has no effect is told, without its value', () => {
  const environment = {
    PORT: '80',
    PUBLIC_URI: 'https://mix.example',
    ROLE: 'web',
    LOGLEVEL: 'warn',
    PORT_FILE: '/run/port',
    ROUGHMIX_ADMIN: 'secret',
    THROTTLE_LOGINS: '3',
    VAPID_PUBLIC_KEY: 'secret',
    MONGO_URI: 'mongodb://ana:secret@mongo',
    HOME: '/home/ana',
    HOSTNAME: 'here',
    PATH: '/bin',
    SMTP_URI: '',
  };
  expect(warningsOf(environment)).toEqual([
    'LOGLEVEL: nothing reads it; was LOG_LEVEL meant?',
    'MONGO_URI: nothing reads it; was MONGO_URL meant?',
    'PORT_FILE: nothing reads it, only secrets may lie in files',
    'PUBLIC_URI: nothing reads it; was PUBLIC_URL meant?',
    'ROLE: nothing reads it; was ROLES meant?',
    'ROUGHMIX_ADMIN: nothing reads it',
    'THROTTLE_LOGINS: nothing reads it',
    'VAPID_PUBLIC_KEY: nothing reads it yet',
  ]);
});

test('where the vault is on a server it is told that processes have no list of erasures to share', () => {
  const warning = 'ERASURES_FILE: not set, so who is erased is noted beside DATA_DIR; name one file that all processes share and that is kept';
  expect(warningsOf({ MONGO_URL: 'mongodb://db/' })).toEqual([warning]);
  expect(warningsOf({ MONGO_URL_FILE: '/run/keys/mongo-url', ERASURES_FILE: '' })).toEqual([warning]);
  expect(warningsOf({ MONGO_URL: 'mongodb://db/', ERASURES_FILE: '/erasures/erasures.ndjson' })).toEqual([]);
  expect(warningsOf({})).toEqual([]);
});

test('.env.example is made from the same list, and names everything with its default', () => {
  const text = readFileSync('.env.example', 'utf8');
  expect(text).toBe(envExample());
  const set = Object.fromEntries([...text.matchAll(/^# ([A-Z0-9_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
  expect(readConfig(set)).toEqual(readConfig({}));
  expect(Object.keys(set)).toEqual(variableNames().filter((name) => name === 'ERASURES_FILE' || !name.endsWith('_FILE')));
});
