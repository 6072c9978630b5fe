import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { environmentProblems, absolutePath, secretsIn, textOf, yamlOf } from '../test/deployment-files.js';
import { composeOf, COMPOSE_SCHEMA, isJob, isOurs, mountOf, networksOf, type Service } from './compose-files.js';
import { completeKeys, entries, environmentOf, makeKeys, networks, ours, REAL, serviceOf, services } from './installation.js';

const EMBEDDED = 'infra/compose/embedded.yml';
const VERSION = (JSON.parse(textOf('package.json')) as { readonly version: string }).version;

const servicesOf = (names: readonly string[]): readonly (readonly [string, Service])[] => entries.filter(([name]) => names.includes(name));

let keys: string;
beforeAll(() => {
  keys = makeKeys();
});
afterAll(() => rmSync(keys, { recursive: true }));
const keyFiles = (): readonly (readonly [string, string])[] =>
  readdirSync(keys, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(keys, name)).isFile())
    .toSorted()
    .map((name) => [name, readFileSync(join(keys, name), 'utf8')]);

describe.each([REAL, EMBEDDED])('%s', (path) => {
  const compose = composeOf(path);
  const every = Object.entries(compose.services);

  test('has only known keys', () => {
    const ajv = new Ajv({ allErrors: true, strict: false });
    ajv.validate(COMPOSE_SCHEMA, compose);
    expect(ajv.errors ?? []).toEqual([]);
  });

  test('pins every image to a version', () => {
    expect(every.filter(([, { image = '' }]) => !/:v?\d+\.\d+\.\d+(?:-[a-z-]+)?$/.test(image))).toEqual([]);
    expect(new Set(every.filter(([, service]) => isOurs(service)).map(([, { image }]) => image))).toEqual(new Set([`roughmix:${VERSION}`]));
  });

  test('limits memory and logs of every service', () => {
    expect(every.filter(([, { mem_limit: limit }]) => limit === undefined)).toEqual([]);
    expect(every.filter(([, { logging }]) => logging?.driver !== 'local')).toEqual([]);
  });

  test('lets SELinux and any user of a container read mounted files', () => {
    const mounted = every.flatMap(([, { volumes: all = [] }]) => all).filter((volume) => volume.startsWith('.'));
    expect(mounted.filter((volume) => !volume.endsWith(':ro,z'))).toEqual([]);
  });

  test('contains no secret', () => {
    expect(every.flatMap(([name, { environment = {} }]) => secretsIn(environment).map((variable) => `${name}: ${variable}`))).toEqual([]);
  });

  test('gives every service minimal privileges', () => {
    const lax = every.filter(([, { cap_drop: dropped, security_opt: options }]) => dropped?.join() !== 'ALL' || options?.join() !== 'no-new-privileges:true');
    expect(lax).toEqual([]);
    expect(every.filter(([, service]) => isOurs(service) && service.read_only !== true)).toEqual([]);
    expect(every.flatMap(([, { ports = [] }]) => ports).filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  test('sets only variables that the program reads, with valid values', () => {
    const programs = every.filter(([, service]) => isOurs(service) && !isJob(service));
    expect(programs.flatMap(([name, service]) => environmentProblems(environmentOf(service, keys)).map((complaint) => `${name}: ${complaint}`))).toEqual([]);
    expect(programs.every(([, service]) => service.init === true && Number.parseInt(service.stop_grace_period ?? '', 10) > 10)).toBe(true);
  });

  test('mounts only existing files and declared volumes', () => {
    const sources = every.flatMap(([, { volumes: mounted = [] }]) => mounted.map((volume) => mountOf(volume).source));
    const files = sources.filter((source) => source.startsWith('.'));
    expect(files.filter((source) => !existsSync(absolutePath(source)))).toEqual([]);
    expect(new Set(sources.filter((source) => !source.startsWith('.')))).toEqual(new Set(Object.keys(compose.volumes ?? {})));
  });
});

describe('docker-compose.yml', () => {
  test('has every role, and two web processes', () => {
    expect(ours.map(([name, { environment = {} }]) => [name, environment['ROLES']])).toEqual([
      ['web-1', 'web'],
      ['web-2', 'web'],
      ['projector', 'projector'],
      ['reactor', 'reactor'],
    ]);
    const { ADMIN_KEY_FILE, ...others } = serviceOf('web-1').environment ?? {};
    expect(ADMIN_KEY_FILE).toBe('/run/keys/admin-key');
    for (const [name, service] of ours)
      expect({ ...service.environment, ROLES: '' }).toEqual({ ...others, ROLES: '', ...(name.startsWith('web') ? { ADMIN_KEY_FILE } : {}) });
  });

  test('has a health check for every service', () => {
    const unknown = entries.filter(([, service]) => !isJob(service) && !isOurs(service) && (service.healthcheck?.test?.length ?? 0) < 2);
    expect(unknown).toEqual([]);
    expect(textOf('infra/Dockerfile')).toMatch(/^HEALTHCHECK /m);
    expect(ours.filter(([, { healthcheck }]) => healthcheck !== undefined)).toEqual([]);
  });

  test('waits for its dependencies with conditions that they can meet', () => {
    const waits = entries.flatMap(([name, { depends_on: needed = {} }]) =>
      Object.entries(needed).map(([other, { condition }]) => ({ name, other, condition })),
    );
    const wrong = waits.filter(
      ({ other, condition }) => condition !== (isJob(serviceOf(other)) ? 'service_completed_successfully' : 'service_healthy') || !(other in services),
    );
    expect(wrong).toEqual([]);
    expect(Object.keys(serviceOf('web-1').depends_on ?? {})).toEqual(['keys', 'eventstore', 'mongo', 'bucket']);
  });

  test('keeps the stores on an internal network, and publishes three services on this machine', () => {
    expect(networks).toMatchObject({ inside: { internal: true }, log: { internal: true }, stream: { internal: true }, files: { internal: true }, outside: {} });
    expect(new Set(entries.flatMap(([, service]) => networksOf(service)))).toEqual(new Set(Object.keys(networks)));
    for (const [, { networks: on }] of servicesOf(['mongo', 'bucket', 'prometheus'])) expect(on).toEqual(['inside']);
    expect(serviceOf('s3').networks).toEqual(['inside', 'files']);
    expect(entries.filter(([, { ports }]) => ports !== undefined).map(([name]) => name)).toEqual(['balancer', 'mail', 'grafana']);
    expect(serviceOf('keys').network_mode).toBe('none');
  });

  test('mounts keys read-only, except where they are created', () => {
    const writing = entries.filter(([, { volumes: mounted = [] }]) =>
      mounted.map(mountOf).some(({ source, isReadOnly }) => source.endsWith('-keys') && !isReadOnly),
    );
    expect(writing.map(([name]) => name)).toEqual(['keys']);
    const made = (serviceOf('keys').volumes ?? []).map(mountOf).filter(({ source }) => source.endsWith('-keys'));
    const folderOf = new Map(made.map(({ source, target }) => [source, target.replace('/keys/', '')]));
    for (const [name, service] of entries.filter(([each]) => each !== 'keys')) {
      const mountedKeys = [...JSON.stringify(service).matchAll(/\/run\/keys\/([a-z0-9-]+)/g)].map(([, file = '']) => file);
      const folder = folderOf.get((service.volumes ?? []).map(mountOf).find(({ target }) => target === '/run/keys')?.source ?? '') ?? '';
      expect([name, mountedKeys.filter((file) => !existsSync(join(keys, folder, file)))]).toEqual([name, []]);
    }
  });

  test('configures every server’s address as it listens', () => {
    const environment = environmentOf(serviceOf('web-1'), keys);
    const mongo = readFileSync(join(keys, 'roughmix', 'mongo-url'), 'utf8');
    const command = serviceOf('mongo').command?.join(' ') ?? '';
    expect(environment['EVENTSTORE_URL']).toBe('esdb://eventstore:2113?tls=false');
    expect(serviceOf('eventstore').healthcheck?.test?.at(-1)).toBe('http://127.0.0.1:2113/health/live');
    expect(mongo).toMatch(/^mongodb:\/\/roughmix:[0-9a-f]{48}@mongo:27017\/roughmix\?replicaSet=rs0\n$/);
    expect(command).toContain('--replSet rs0 --keyFile /tmp/keyfile');
    expect(serviceOf('kafka').environment?.['KAFKA_ADVERTISED_LISTENERS']).toBe(`PLAINTEXT://${environment['KAFKA_BROKERS']}`);
    expect(serviceOf('s3').entrypoint?.at(-1)).toContain('--port :7070 --region us-east-1 --health /health');
    expect([environment['S3_ENDPOINT'], environment['S3_REGION']]).toEqual(['http://s3:7070', 'us-east-1']);
    expect(serviceOf('bucket').environment).toEqual(
      Object.fromEntries(Object.entries(serviceOf('web-1').environment ?? {}).filter(([name]) => /^S3_(?!PUBLIC)/.test(name))),
    );
    expect(environment['SMTP_URL']).toBe('smtp://mail:1025');
  });

  test('scrapes the metrics port of every process', () => {
    const [prometheus] = yamlOf('infra/prometheus/compose.yml') as readonly {
      readonly scrape_configs: readonly { readonly static_configs: readonly { readonly targets: readonly string[] }[] }[];
    }[];
    const targets = prometheus?.scrape_configs.flatMap((each) => each.static_configs.flatMap((list) => list.targets));
    expect(targets).toEqual(ours.map(([name, { environment = {} }]) => `${name}:${environment['METRICS_PORT']}`));
  });
});

describe('docker-compose.yml, for secrets', () => {
  test('gives every reader a volume of its own with the keys that it needs, the admin key to the web processes only', () => {
    const readers = entries.flatMap(([name, { volumes: mounted = [] }]) =>
      mounted
        .map(mountOf)
        .flatMap(({ source, target }) => (target === '/run/keys' ? [[name, readdirSync(join(keys, source.replace('-keys', '')))] as const] : [])),
    );
    const stores = ['mongo-url', 's3-access-key-id', 's3-secret-access-key'];
    const web = ['admin-key', 'master-key', ...stores];
    expect(Object.fromEntries(readers)).toEqual({
      'web-1': web,
      'web-2': web,
      projector: web.slice(1),
      reactor: web.slice(1),
      bucket: stores.slice(1),
      backup: ['mongo-url'],
      mongo: ['keyfile', 'root-password', 'roughmix-password'],
      s3: ['access-key-id', 'secret-access-key'],
      mail: ['ui-auth'],
      grafana: ['admin-password'],
    });
  });

  test('keeps e-mails, which contain links to reset passwords, behind a password', () => {
    expect(serviceOf('mail').environment).toMatchObject({ MP_UI_AUTH_FILE: '/run/keys/ui-auth' });
    expect(readFileSync(join(keys, 'mail', 'ui-auth'), 'utf8')).toMatch(/^roughmix:[0-9a-f]{32}\n$/);
  });
});

describe('docker-compose.yml, for machines of others', () => {
  test.each([undefined, '10.9.8'])('trusts the addresses that the balancer reports, and no other container (FRONT_PREFIX=%s)', (prefix) => {
    const compose = composeOf(REAL, prefix === undefined ? {} : { FRONT_PREFIX: prefix });
    const balancer = compose.services['balancer']?.networks as Readonly<Record<string, { readonly ipv4_address?: string }>>;
    const address = `${prefix ?? '172.30.83'}.2`;
    expect(balancer).toEqual({ front: { ipv4_address: address }, files: {} });
    expect(compose.networks?.['front']).toEqual({ ipam: { config: [{ subnet: address.replace(/2$/, '0/24'), ip_range: address.replace(/2$/, '128/25') }] } });
    // The balancer shares one network with the web processes, and nobody else is on it.
    const onFront = Object.entries(compose.services).filter(([, service]) => networksOf(service).includes('front'));
    expect(onFront.map(([name]) => name)).toEqual(['web-1', 'web-2', 'balancer']);
    for (const [, service] of Object.entries(compose.services).filter(([, each]) => isOurs(each) && !isJob(each)))
      expect(service.environment?.['TRUST_PROXY']).toBe(address);
  });

  test('builds the image once, and takes it from no registry unless told to', () => {
    expect(entries.filter(([, { build }]) => build !== undefined).map(([name]) => name)).toEqual(['keys']);
    const others = entries.filter(([name, service]) => isOurs(service) && name !== 'keys');
    expect(others.map(([name, { pull_policy: policy }]) => [name, policy])).toEqual([...ours.map(([name]) => name), 'bucket'].map((name) => [name, 'never']));
    expect(textOf('Makefile')).toContain('\tdocker compose build keys\n\tdocker compose up -d\n');
  });

  test('lists every image once, at the top', () => {
    const text = textOf(REAL);
    const [, list = ''] = /^x-images:\n((?: {2}- .*\n)+)/m.exec(text) ?? [];
    const names = [...list.matchAll(/&([a-z0-9-]+) /g)].map(([, name = '']) => name);
    const used = [...text.matchAll(/^ +image: (.*)$/gm)].map(([, image = '']) => image);
    expect([...new Set(used)].toSorted()).toEqual(names.map((name) => `*${name}`).toSorted());
  });

  test('passes every variable of .env to the program, below what compose itself sets', () => {
    for (const [, service] of ours) expect(service.env_file).toEqual([{ path: '.env', required: false }]);
    expect(serviceOf('web-1').environment).toMatchObject({ HOST: '0.0.0.0', PORT: '3000', DATA_DIR: '/data' });
  });

  test('leaves EventStoreDB and Kafka, which ask for no password, alone with Roughmix', () => {
    const on = (network: string): readonly string[] => entries.filter(([, service]) => networksOf(service).includes(network)).map(([name]) => name);
    const names = ours.map(([name]) => name);
    expect([on('log'), on('stream')]).toEqual([
      [...names, 'eventstore'],
      [...names, 'kafka'],
    ]);
    expect(servicesOf(['eventstore', 'kafka']).map(([, service]) => service.networks)).toEqual([['log'], ['stream']]);
  });

  test('sends alerts to the webhook that ALERT_WEBHOOK_URL names, and nowhere without it', () => {
    const { volumes: mounted = [], entrypoint = [] } = serviceOf('alertmanager');
    const files = mounted.map(mountOf).filter(({ source }) => source.startsWith('.'));
    expect(files.map(({ target }) => target)).toEqual(['/etc/alertmanager/webhook.yml', '/etc/alertmanager/silent.yml']);
    for (const { source } of files) {
      const [config] = yamlOf(source) as readonly { readonly route: { readonly receiver: string }; readonly receivers: readonly { readonly name: string }[] }[];
      expect(config?.receivers.map(({ name }) => name)).toEqual([config?.route.receiver]);
    }
    const [, file = ''] = /> (\S+)/.exec(entrypoint.at(-1) ?? '') ?? [];
    expect(textOf('infra/prometheus/alertmanager-webhook.yml')).toContain(`url_file: ${file}\n`);
    expect(composeOf(REAL, { ALERT_WEBHOOK_URL: 'https://hooks.example/roughmix' }).services['alertmanager']?.environment).toEqual({
      ALERT_WEBHOOK_URL: 'https://hooks.example/roughmix',
    });
    const [prometheus] = yamlOf('infra/prometheus/compose.yml');
    expect(prometheus).toMatchObject({ alerting: { alertmanagers: [{ static_configs: [{ targets: ['alertmanager:9093'] }] }] } });
  });
});

describe('keys', () => {
  test('are created once and kept', () => {
    const made = keyFiles();
    completeKeys(keys);
    expect(keyFiles()).toEqual(made);
    // Three values have two readers and more: MongoDB's address, the S3 key and its id. The master key has two.
    expect(new Set(made.map(([, text]) => text)).size).toBe(made.length - 9);
  });

  test('are copied into volumes that an older installation lacks', () => {
    const made = keyFiles();
    for (const reader of ['worker', 'bucket', 'backup']) {
      rmSync(join(keys, reader), { recursive: true });
      mkdirSync(join(keys, reader));
    }
    completeKeys(keys);
    expect(keyFiles()).toEqual(made);
  });

  test('are completed after an interrupted start', () => {
    const made = keyFiles();
    rmSync(join(keys, 's3', 'secret-access-key'), { force: true });
    writeFileSync(join(keys, 's3', 'secret-access-key.new'), 'half');
    completeKeys(keys);
    const again = new Map(keyFiles());
    expect([...again.keys()]).toEqual(made.map(([name]) => name));
    expect(again.get('s3/secret-access-key')).toMatch(/^[0-9a-f]{48}\n$/);
    for (const reader of ['roughmix', 'worker', 'bucket']) expect(again.get(`${reader}/s3-secret-access-key`)).toBe(again.get('s3/secret-access-key'));
    expect(again.get('roughmix/master-key')).toBe(new Map(made).get('roughmix/master-key'));
  });
});
