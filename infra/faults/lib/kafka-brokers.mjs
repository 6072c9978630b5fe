// Three real Kafka brokers on loopback, which can be killed, frozen, stopped and started again one by one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { endWithServers, isStopped, servicesFolder } from './servers.mjs';
import { unwatch, watch } from './watch.mjs';

export const BROKERS = [1, 2, 3];
const START_MS = 120_000;
const STOP_MS = 30_000;
const POLL_MS = 20;
const SECURE_USER = { KAFKA_TLS: 'true', KAFKA_USERNAME: 'roughmix', KAFKA_PASSWORD: 'tide-4711' };

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function signal(pid, name) {
  if (isAlive(pid)) process.kill(pid, name);
}

export class KafkaBrokers {
  /** The variables that the program needs to use them. */
  env = {};
  #folder;
  #scripts = new Set();

  /**
   * @param {{ folder: string, isSecure?: boolean }} options `isSecure`: with TLS and users
   * @throws with its output if they are not ready in time
   */
  static async start({ folder, isSecure = false }) {
    const brokers = new KafkaBrokers();
    brokers.#folder = folder;
    endWithServers(brokers);
    const found = await brokers.#run([], isSecure ? { KAFKA_SECURE: '1' } : {});
    brokers.env = { KAFKA_BROKERS: found, ...(isSecure ? { ...SECURE_USER, KAFKA_CA_FILE: join(folder, 'ca.crt') } : {}) };
    return brokers;
  }

  /** Kills a broker (kill -9) and waits for its exit. */
  kill(n) {
    return this.#end(n, 'SIGKILL');
  }

  /** Stops a broker (SIGTERM), which hands its partitions over first. */
  stopOne(n) {
    return this.#end(n, 'SIGTERM');
  }

  /** Starts a broker again with its data at the same address. */
  async startOne(n) {
    await this.#run(['start', String(n)]);
  }

  /** Stops a broker until `thaw`: connections remain open, but nothing is answered. */
  async freeze(n) {
    const pid = this.#pidOf(n);
    signal(pid, 'SIGSTOP');
    await until(`broker ${n} is stopped`, () => isStopped(pid));
  }

  thaw(n) {
    signal(this.#pidOf(n), 'SIGCONT');
  }

  /** Stops all of them, and kills those that take too long. */
  async stop() {
    const pids = BROKERS.map((n) => this.#pidOf(n)).filter((pid) => pid !== null);
    for (const pid of pids) signal(pid, 'SIGCONT');
    for (const pid of pids) signal(pid, 'SIGTERM');
    const late = setTimeout(() => this.endNow(), STOP_MS);
    await Promise.all([...this.#scripts].map(({ ended }) => ended));
    clearTimeout(late);
  }

  /** Ends them without waiting, when the driver itself is stopped. */
  endNow() {
    for (const n of BROKERS) {
      const pid = this.#pidOf(n);
      if (pid !== null) signal(pid, 'SIGKILL');
    }
  }

  /** Runs the script, which stays as long as the brokers that it started. @returns the addresses of all brokers */
  async #run(args, env = {}) {
    const child = spawn('bash', [join(servicesFolder, 'kafka/cluster.sh'), this.#folder, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const script = { ended: once(child, 'close').then(() => this.#scripts.delete(script)) };
    this.#scripts.add(script);
    let [output, found] = ['', undefined];
    child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
    createInterface({ input: child.stdout }).on('line', (line) => (found ??= /^KAFKA_BROKERS=(.+)$/.exec(line)?.[1]));
    await until('the brokers are ready', () => found !== undefined || child.exitCode !== null, START_MS);
    if (found === undefined) throw new Error(`Kafka did not start in ${this.#folder}: ${output.slice(-2_000)}`);
    for (const n of BROKERS) if (isAlive(this.#pidOf(n))) watch(this.#pidOf(n));
    return found;
  }

  async #end(n, name) {
    const pid = this.#pidOf(n);
    signal(pid, name);
    await until(`broker ${n} has exited`, () => !isAlive(pid));
    unwatch(pid);
  }

  #pidOf(n) {
    const file = join(this.#folder, String(n), 'server.pid');
    return existsSync(file) ? Number(readFileSync(file, 'utf8')) : null;
  }
}

async function until(what, isTrue, milliseconds = STOP_MS) {
  for (const end = Date.now() + milliseconds; !isTrue(); await pause(POLL_MS)) if (Date.now() > end) throw new Error(`timed out waiting until ${what}`);
}
