// The four servers on loopback, each a process with its own folder, which can be frozen, killed and restarted. Two are test doubles: docs/faults.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.mjs';
import { unwatch, watch } from './watch.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const BESIDE = resolve(ROOT, '../shared/services');
/** The first start unpacks files; later ones take a second or two. */
const START_MS = 120_000;
const STOP_MS = 15_000;
const TRIES = 3;

/** The folder of the test servers next to the checkout; null if missing. */
export const servicesFolder = existsSync(join(BESIDE, 'run.mjs')) ? BESIDE : null;

/** Kafka allows everything, except what a rule forbids. */
const AUTHORIZER = ['authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer', 'allow.everyone.if.no.acl.found=true'];

/** The arguments of each server, and the name on the last line it prints once ready. */
const KINDS = {
  eventstore: {
    command: (folder, [port, control], nodes) => [
      process.execPath,
      join(BESIDE, 'eventstore/server.mjs'),
      '--db',
      folder,
      // The nodes of a cluster choose their ports themselves.
      ...(nodes === 1 ? ['--port', port] : ['--nodes', String(nodes)]),
      '--control',
      control,
      '--modules',
      join(ROOT, 'backend'),
    ],
    last: 'EVENTSTORE_URL',
  },
  mongodb: { command: (folder, [port]) => [join(BESIDE, 'mongodb/start.sh'), folder, port], last: 'MONGO_URL' },
  s3: { command: (folder, [port]) => [join(BESIDE, 's3/start.sh'), folder, port], last: 'S3_SECRET_ACCESS_KEY' },
  kafka: { command: (folder, [port]) => [join(BESIDE, 'kafka/start.sh'), folder, port, ...AUTHORIZER], last: 'KAFKA_BROKERS' },
};
export const SERVER_NAMES = Object.keys(KINDS);

/** Every server started since the last call of `endServers`. */
const started = new Set();

/** Ends a server of another kind with these. @param {{ stop(): Promise<void>, endNow(): void }} server */
export const endWithServers = (server) => void started.add(server);

/** True if all threads of a process are stopped; assumed where /proc is missing. */
export function isStopped(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).every((task) => /\) [TZX]/.test(readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8')));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    // A thread exited meanwhile, or there is no /proc.
    return !existsSync('/proc/self/task');
  }
}

/**
 * One server. After `kill` or `stop`, `start` brings it back with its data at the same address; not several nodes of EventStoreDB, whose ports would change: the switches of
 * EVENTSTORE_CONTROL_URL kill, freeze and restart those one by one.
 */
export class Server {
  /** NAME: value, as the program reads them. */
  env = {};
  output = '';
  #ports;
  #child;
  #pid;
  #ended;
  #isFrozen = false;

  #nodes;

  /** @param {number} nodes of EventStoreDB */
  constructor(name, folder, nodes = 1) {
    this.name = name;
    this.folder = folder;
    this.#nodes = nodes;
  }

  get isAlive() {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The server's process, which may be a child of the started one. */
  get pid() {
    return this.#pid;
  }

  get port() {
    return Number(this.#ports[0]);
  }

  /** Starts it on free ports, or restarts it on its previous ones. @throws with its output if it is not ready in time */
  async start() {
    mkdirSync(this.folder, { recursive: true });
    started.add(this);
    const isNew = this.#ports === undefined;
    if (!isNew && this.#nodes > 1) throw new Error(`${this.name}: several nodes cannot be restarted at their ports`);
    for (let tries = 1; ; tries += 1) {
      if (isNew) this.#ports = [await freePort(), await freePort()];
      try {
        return await this.#launch();
      } catch (error) {
        // Another driver may have taken the port meanwhile.
        if (!isNew || tries === TRIES) throw error;
      }
    }
  }

  async #launch() {
    const [program, ...args] = KINDS[this.name].command(this.folder, this.#ports, this.#nodes);
    const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    this.#isFrozen = false;
    const { pid } = child;
    child.once('error', (error) => (this.output += error.message));
    child.stderr.setEncoding('utf8').on('data', (text) => (this.output += text));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line);
      if (found) this.env[found[1]] = found[2];
    });
    this.env = {};
    if (pid !== undefined) watch(pid);
    this.#ended = once(child, 'close').then(() => unwatch(pid));
    this.#ended.catch(() => undefined); // reported by `error`
    for (const until = Date.now() + START_MS; this.env[KINDS[this.name].last] === undefined; await pause(10)) {
      if (this.isAlive && pid !== undefined && Date.now() < until) continue;
      await this.#end(pid);
      throw new Error(`${this.name} did not start in ${this.folder}: ${this.output.slice(-2_000)}`);
    }
    const file = join(this.folder, 'server.pid');
    this.#pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : pid;
    if (this.#pid !== pid) watch(this.#pid);
    return this;
  }

  #signal(pid, signal) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // It has exited meanwhile.
      if (error.code !== 'ESRCH') throw error;
    }
  }

  /** Stops it until `thaw`: connections remain open, but nothing is answered. Resolves once it is stopped. */
  async freeze() {
    this.#signal(this.#pid, 'SIGSTOP');
    this.#isFrozen = true;
    for (const until = Date.now() + 5_000; !isStopped(this.#pid); await pause(5)) {
      if (Date.now() > until) throw new Error(`${this.name} does not stop`);
    }
  }

  thaw() {
    this.#signal(this.#pid, 'SIGCONT');
    this.#isFrozen = false;
  }

  /** Kills it (kill -9) and waits for its exit. */
  async kill() {
    if (!this.isAlive) return;
    this.#signal(this.#pid, 'SIGKILL');
    await this.#gone();
  }

  /** Restarts it on the same folder and ports. */
  async restart() {
    await this.stop();
    await this.start();
  }

  /** Stops it (SIGTERM), and kills it after a timeout. */
  async stop() {
    if (!this.isAlive) return;
    if (this.#isFrozen) this.thaw();
    this.#child.kill('SIGTERM');
    await this.#gone();
  }

  async #gone() {
    const late = Symbol('late');
    const limit = new AbortController();
    const timer = pause(STOP_MS, late, { signal: limit.signal }).catch(() => undefined);
    if ((await Promise.race([this.#ended, timer])) === late) await this.#end(this.#child.pid);
    limit.abort();
    if (this.#pid !== undefined) unwatch(this.#pid);
  }

  /** Ends the started process and its children. */
  async #end(pid) {
    for (const each of [this.#pid, pid]) if (each !== undefined && this.isAlive) this.#signal(each, 'SIGKILL');
    if (pid !== undefined) await this.#ended;
  }

  /** Ends it without waiting, when the driver itself is stopped. */
  endNow() {
    if (!this.isAlive) return;
    for (const each of [this.#pid, this.#child.pid]) if (each !== undefined) this.#signal(each, 'SIGKILL');
  }
}

/**
 * Starts servers, each in its own folder below `folder`.
 * @param {{ folder: string, only?: readonly ('eventstore' | 'mongodb' | 's3' | 'kafka')[], nodes?: number }} options default: all four; `nodes` of EventStoreDB: 1 or 3
 * @returns {Promise<{ env: Record<string, string>, stop(): Promise<void>, eventstore?: Server, mongodb?: Server, s3?: Server, kafka?: Server }>}
 *   `env`: the environment that programs need to use them, including EVENTSTORE_CONTROL_URL
 */
export async function startServers({ folder, only = SERVER_NAMES, nodes = 1 }) {
  if (servicesFolder === null) throw new Error('../shared/services is missing');
  const servers = await Promise.all(only.map((name) => new Server(name, join(folder, name), name === 'eventstore' ? nodes : 1).start()));
  return {
    ...Object.fromEntries(servers.map((server) => [server.name, server])),
    env: Object.assign({}, ...servers.map(({ env }) => env)),
    stop: async () => void (await Promise.all(servers.map((server) => server.stop()))),
  };
}

/** Stops every started server; for the fault runner. */
export async function endServers() {
  await Promise.all([...started].map((server) => server.stop()));
  started.clear();
}

/** Ends every server without waiting. */
export function endServersNow() {
  for (const server of started) server.endNow();
}
