// The backends of a bench: embedded stores, and with `--servers` EventStoreDB, MongoDB, S3 and Kafka too.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram, startPrograms } from '../../faults/lib/program.mjs';
import { endServers, startServers } from '../../faults/lib/servers.mjs';

const NAMES = [
  'EVENTSTORE_URL',
  'MONGO_URL',
  'S3_ENDPOINT',
  'S3_PUBLIC_ENDPOINT',
  'S3_REGION',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'KAFKA_BROKERS',
];
const given = Object.fromEntries(NAMES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));

/** Note printed below every table with results of servers. */
export const ABOUT_SERVERS =
  given.EVENTSTORE_URL === undefined
    ? 'servers: protocol doubles of EventStoreDB and MongoDB on this machine, a real Kafka and a real S3 server. Results with a double show the cost of Roughmix, not of the real server.'
    : 'servers: those configured in the environment.';

/** The servers configured in the environment, or else servers started from beside the checkout. */
export async function openServers(folder, only) {
  if (given.EVENTSTORE_URL !== undefined) return { env: given, stop: async () => undefined };
  return startServers({ folder: join(folder, 'servers'), only });
}

async function embedded(folder, { web = {} }) {
  const { env, nodeArgs } = web;
  return { web: await startProgram({ folder: join(folder, 'data'), env, nodeArgs }), stop: async () => undefined };
}

/** One web process, one projector and one reactor. */
async function onServers(folder, { web = {} }) {
  const servers = await openServers(folder);
  const [program] = await startPrograms({ folder, roles: ['web'], env: { ...servers.env, ...web.env }, nodeArgs: web.nodeArgs });
  const others = await startPrograms({ folder: join(folder, 'others'), roles: ['projector', 'reactor'], env: servers.env });
  return {
    web: program,
    stop: async () => {
      await Promise.all(others.map((other) => other.stop()));
      await servers.stop();
    },
  };
}

const BACKENDS = { embedded, servers: onServers };

/** The backends to measure. */
export const backendsOf = (withServers) => (withServers ? ['embedded', 'servers'] : ['embedded']);

/**
 * Runs on one backend in a temporary folder, and stops everything afterwards.
 * @param {'embedded' | 'servers'} name
 * @param {{ web?: { env?: Record<string, string>, nodeArgs?: string[] } }} options for the measured process
 * @param {(web: import('../../faults/lib/program.mjs').Program, folder: string) => Promise<unknown>} run may stop the process itself
 */
export async function runOn(name, options, run) {
  const folder = await mkdtemp(join(tmpdir(), 'roughmix-bench-'));
  try {
    const backend = await BACKENDS[name](folder, options);
    try {
      return await run(backend.web, folder);
    } finally {
      if (backend.web.isAlive) await backend.web.stop();
      await backend.stop();
    }
  } finally {
    await endServers();
    await rm(folder, { recursive: true, force: true });
  }
}

export const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

/** The quantile of a list of numbers. */
export function quantile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
