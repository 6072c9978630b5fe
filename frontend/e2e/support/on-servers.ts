import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_KEY, type Program, startPrograms } from '../../../infra/faults/lib/program.mjs';
import { endServers, servicesFolder, startServers } from '../../../infra/faults/lib/servers.mjs';
import type { TestSite } from './test-site';
import type { EntryPoint } from './server';
import { FailoverProxy } from './failover-proxy';

const site = 'roughmix.localhost';

/** Whether the servers to test against exist beside the checkout. */
export const hasServers = servicesFolder !== null;

const proxies: FailoverProxy[] = [];

/** The web processes that each user's browser connected to, by index, in order of connection. */
export const connectedProcesses = (): readonly (readonly number[])[] => {
  const ports = proxies.map((proxy) => proxy.ports[0]);
  return proxies.map((proxy) => [...proxy.connected].map((port) => ports.indexOf(port)));
};

async function entryPointOf(first: Program, other: Program): Promise<EntryPoint> {
  const proxy = await FailoverProxy.to([first.port, other.port]);
  proxies.push(proxy);
  return {
    address: `http://${site}`,
    callAddress: first.url,
    hostRules: `MAP ${site}:80 127.0.0.1:${proxy.port}`,
    adminKey: () => Promise.resolve(ADMIN_KEY),
  };
}

/** @throws if a process exits with a code other than 0 */
async function endAll(programs: readonly Program[]): Promise<void> {
  const endings = await Promise.all(programs.filter(({ isAlive }) => isAlive).map(async (program) => ({ program, ended: await program.stop() })));
  for (const { program, ended } of endings) if (ended.code !== 0) throw new Error(`a process exited with ${String(ended.code)}:\n${program.output}`);
}

async function startAll(folder: string): Promise<Program[]> {
  const servers = await startServers({ folder: join(folder, 'servers') });
  return startPrograms({ folder, roles: ['web', 'web', 'projector', 'reactor'], env: { ...servers.env, PUBLIC_URL: `http://${site}` } });
}

/** EventStoreDB, MongoDB, S3 and Kafka, with two web processes at one URL, a projector and a reactor. Each user connects to a different web process. */
export async function onServers(): Promise<TestSite> {
  const folder = await mkdtemp(join(tmpdir(), 'roughmix-journey-'));
  const tidy = async (): Promise<void> => {
    for (const proxy of proxies) proxy.close();
    await endServers();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const programs = await startAll(folder);
    const [first, second] = programs as [Program, Program];
    return {
      entryPoints: [await entryPointOf(first, second), await entryPointOf(second, first)],
      killFirst: async () => void (await first.kill()),
      stop: async () => {
        try {
          await endAll(programs);
        } finally {
          await tidy();
        }
      },
    };
  } catch (error) {
    await tidy();
    throw error;
  }
}
