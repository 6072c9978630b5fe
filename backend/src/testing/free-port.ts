import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type ListenOptions, type Server } from 'node:net';

const LOWEST = 10_000;
const FEWEST = 2_000;
const TRIES = 100;
/** Where the system takes ports for outgoing connections and for whoever asks for any. */
const SYSTEMS_FILE = '/proc/sys/net/ipv4/ip_local_port_range';
const USUALLY_FROM = 32_768;

/** Given away already: whoever asked may not listen yet. */
const given = new Set<number>();

/** Below those of the system; where that leaves too few, among them. */
function highest(): number {
  const from = existsSync(SYSTEMS_FILE) ? Number(readFileSync(SYSTEMS_FILE, 'utf8').split(/\s/)[0]) : USUALLY_FROM;
  return from - LOWEST < FEWEST ? USUALLY_FROM : from;
}

/** What listens there, null when something does already. */
async function listenAt(options: ListenOptions): Promise<Server | null> {
  const server = createServer().listen(options).unref();
  return once(server, 'listening').then(
    () => server,
    () => null,
  );
}

/** Taken among our own processes, for as long as this one lives: by a socket without a file, which only Linux has. */
const isOurs = async (port: number): Promise<boolean> => process.platform !== 'linux' || (await listenAt({ path: `\0roughmix-port-${port}` })) !== null;

/** A port that nobody has and nobody else picks, for something that starts soon, and never the same twice: a killed server finds its own free again. */
export async function freePort(): Promise<string> {
  const count = highest() - LOWEST;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = LOWEST + Math.floor(Math.random() * count);
    if (given.has(port)) continue;
    given.add(port);
    if (!(await isOurs(port))) continue;
    const trial = await listenAt({ port, host: '127.0.0.1' });
    if (trial === null) continue;
    trial.close();
    await once(trial, 'close');
    return String(port);
  }
  throw new Error('found no free port');
}
