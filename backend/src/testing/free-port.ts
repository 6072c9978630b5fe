import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type ListenOptions, type Server } from 'node:net';

const LOWEST = 10_000;
const MIN_PORTS = 2_000;
const TRIES = 100;
/** The range from which the system assigns ephemeral ports. */
const SYSTEMS_FILE = '/proc/sys/net/ipv4/ip_local_port_range';
const DEFAULT_FROM = 32_768;

/** Ports already handed out; the process that asked may not be listening yet. */
const returned = new Set<number>();

/** The top of the range to pick from: below the ephemeral ports, or among them if too few are left. */
function highest(): number {
  const from = existsSync(SYSTEMS_FILE) ? Number(readFileSync(SYSTEMS_FILE, 'utf8').split(/\s/)[0]) : DEFAULT_FROM;
  return from - LOWEST < MIN_PORTS ? DEFAULT_FROM : from;
}

/** A server listening there, or null if the address is in use. */
async function listenAt(options: ListenOptions): Promise<Server | null> {
  const server = createServer().listen(options).unref();
  return once(server, 'listening').then(
    () => server,
    () => null,
  );
}

/** Claims the port among our own processes while this one lives, by an abstract socket (Linux only). */
const isOurs = async (port: number): Promise<boolean> => process.platform !== 'linux' || (await listenAt({ path: `\0roughmix-port-${port}` })) !== null;

/** A free port that no other spec process picks. Never returned twice, so a killed server can restart on its own port. */
export async function freePort(): Promise<string> {
  const count = highest() - LOWEST;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = LOWEST + Math.floor(Math.random() * count);
    if (returned.has(port)) continue;
    returned.add(port);
    if (!(await isOurs(port))) continue;
    const trial = await listenAt({ port, host: '127.0.0.1' });
    if (trial === null) continue;
    trial.close();
    await once(trial, 'close');
    return String(port);
  }
  throw new Error('no free port found');
}
