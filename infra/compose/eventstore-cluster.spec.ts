import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { environmentProblems, textOf } from '../test/deployment-files.js';
import { composeOf, COMPOSE_SCHEMA, mountOf } from './compose-files.js';
import { environmentOf, makeKeys, ours, REAL, serviceOf } from './installation.js';

let keys: string;
beforeAll(() => {
  keys = makeKeys();
});
afterAll(() => rmSync(keys, { recursive: true }));

describe('infra/compose/eventstore-cluster.yml', () => {
  const path = 'infra/compose/eventstore-cluster.yml';
  const compose = composeOf(path);
  const nodes = ['eventstore', 'eventstore-2', 'eventstore-3'];
  /** Each node as Compose merges it. */
  const merged = nodes.map((name) => ({
    ...serviceOf('eventstore'),
    ...compose.services[name],
    environment: { ...serviceOf(name).environment, ...compose.services[name]?.environment },
  }));

  test('has only known keys, and says that it was never started', () => {
    const ajv = new Ajv({ allErrors: true, strict: false });
    ajv.validate(COMPOSE_SCHEMA, compose);
    expect(ajv.errors ?? []).toEqual([]);
    expect(textOf(path)).toContain('WE NEVER STARTED THIS FILE');
    expect(Object.keys(compose.services)).toEqual([...nodes, ...ours.map(([name]) => name)]);
  });

  test('adds nodes that differ from the first in their names and volumes only', () => {
    const [first, ...others] = merged;
    for (const [at, { volumes, environment, ...other }] of others.entries()) {
      const name = nodes[at + 1] ?? '';
      expect(volumes).toEqual([`${name}:/var/lib/eventstore`, `${name}-logs:/var/log/eventstore`]);
      expect({ ...other, environment: Object.keys(environment).toSorted() }).toEqual({
        ...first,
        volumes: undefined,
        environment: Object.keys(first?.environment ?? {}).toSorted(),
      });
    }
    const declared = others.flatMap(({ volumes = [] }) => volumes.map((volume) => mountOf(volume).source));
    expect(Object.keys(compose.volumes ?? {})).toEqual(declared);
  });

  test('restarts nodes that exit, each of which knows the others, and gives the program all of them', () => {
    expect(merged.map(({ restart }) => restart)).toEqual(['unless-stopped', 'unless-stopped', 'unless-stopped']);
    for (const [at, { environment }] of merged.entries()) {
      const seeds = nodes.filter((_, index) => index !== at).map((name) => `${name}:2113`);
      expect(environment).toMatchObject({
        EVENTSTORE_CLUSTER_SIZE: '3',
        EVENTSTORE_INSECURE: 'true',
        EVENTSTORE_GOSSIP_SEED: seeds.join(),
        EVENTSTORE_NODE_HOST_ADVERTISE_AS: nodes[at],
        EVENTSTORE_REPLICATION_HOST_ADVERTISE_AS: nodes[at],
      });
    }
    for (const [name, service] of ours) {
      const added = compose.services[name]?.environment;
      expect(added).toEqual({ EVENTSTORE_URL: `esdb://${nodes.map((node) => `${node}:2113`).join()}?tls=false` });
      expect(environmentProblems({ ...environmentOf(service, keys), ...added })).toEqual([]);
    }
  });

  test('is set in .env, so that a later `up` keeps it', () => {
    for (const each of [path, 'docs/real-servers.md']) expect(textOf(each)).toContain(`COMPOSE_FILE=${REAL}:${path}\n`);
  });
});
