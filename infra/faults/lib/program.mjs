import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.mjs';
import { unwatch, watch } from './watch.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Generous, because six programs starting at once on a busy machine took over a minute. */
export const START_MS = 120_000;
const END_MS = 20_000;

export const ADMIN_KEY = 'faults-admin-key-3f9c1d7a5be84e26';
export const MASTER_KEY = 'faults-master-key-8a41c07de95b4f63';

/** Every program started since the last call of `forgetPrograms`; their output is searched afterwards. */
const started = new Set();
export const programs = () => [...started];
export const forgetPrograms = () => started.clear();

/** The real program in its own process. */
export class Program {
  output = '';
  url = '';
  #child;
  #ended;

  constructor(child) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (this.output += text));
    watch(child.pid);
    this.#ended = once(child, 'close').then(([code, signal]) => {
      unwatch(child.pid);
      return { code, signal };
    });
    started.add(this);
  }

  get pid() {
    return this.#child.pid;
  }

  get port() {
    return Number(new URL(this.url).port);
  }

  get isAlive() {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  signal(name) {
    this.#child.kill(name);
  }

  /** Kills it (SIGKILL) and waits for its exit. */
  async kill() {
    this.#child.kill('SIGKILL');
    return this.#ended;
  }

  /** Stops it (SIGTERM). @returns {Promise<{ code: number | null, signal: string | null }>} how it exited */
  async stop() {
    this.#child.kill('SIGTERM');
    return this.ended();
  }

  /** @throws if it is still running after `milliseconds`, after killing it */
  async ended(milliseconds = END_MS) {
    const late = Symbol('late');
    const first = await Promise.race([this.#ended, pause(milliseconds, late, { ref: false })]);
    if (first !== late) return first;
    await this.kill();
    throw new Error(`the program did not exit within ${milliseconds} ms\n${this.output.slice(-2_000)}`);
  }
}

const environmentOf = ({ folder, env, preload }) => ({
  PATH: process.env.PATH,
  HOME: folder,
  DATA_DIR: folder,
  ERASURES_FILE: `${folder}/erasures.ndjson`,
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'warn',
  ADMIN_KEY,
  MASTER_KEY,
  THROTTLE_ADDRESS_PASSWORDS: '1000000',
  THROTTLE_ACCOUNT_PASSWORDS: '1000000',
  ...(preload === undefined ? {} : { LD_PRELOAD: preload }),
  ...env,
});

/**
 * Starts the program on a free port and waits until it listens (by its role, for pages or only for health checks) or exits. `args` go to the program,
 * `nodeArgs` to Node.
 * @returns {Promise<Program>} with its `url`, empty if it exited. @throws on timeout, after killing it
 */
export async function tryProgram({ folder, env = {}, preload, args = [], nodeArgs = [] }) {
  const whole = environmentOf({ folder, env: { PORT: await freePort(), ...env }, preload });
  const program = new Program(
    spawn(process.execPath, [...nodeArgs, 'backend/dist/main.js', ...args], { cwd: ROOT, env: whole, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  for (const until = Date.now() + START_MS; Date.now() < until; await pause(10)) {
    const { isAlive } = program;
    program.url = /(?:listening on|health at) (http:\/\/[^\s/)]+)(?=[\s/)])/.exec(program.output)?.[1] ?? '';
    if (program.url !== '' || !isAlive) return program;
  }
  await program.kill();
  throw new Error(`the program did not listen within ${START_MS} ms\n${program.output.slice(-4_000)}`);
}

/** Starts the program and waits until it listens. @throws with its output if it exits before */
export async function startProgram(options) {
  const program = await tryProgram(options);
  if (program.url !== '') return program;
  const { code, signal } = await program.ended();
  throw new Error(`the program exited during startup (code ${code}, signal ${signal})\n${program.output.slice(-4_000)}`);
}

/**
 * Starts a program that must refuse to start and waits for its exit; kills it if it listens.
 * @returns {Promise<{ code: number | null, hasStarted: boolean, output: string }>}
 */
export async function refusedStart(options) {
  const program = await tryProgram(options);
  const hasStarted = program.url !== '';
  const { code } = await (hasStarted ? program.kill() : program.ended());
  return { code, hasStarted, output: program.output };
}

/**
 * Starts several programs on the same servers (named by `env`), as behind a load balancer: each with its own data folder and port, all with the same keys
 * and public address.
 * @param {{ folder: string, roles: readonly string[], env: Record<string, string> }} options `roles`: ROLES of each, for example `['web', 'web', 'projector', 'reactor']`
 * @returns {Promise<Program[]>} in that order. @throws if one does not start, after stopping the others
 */
export async function startPrograms({ folder, roles, env, ...options }) {
  const shared = { PUBLIC_URL: 'http://roughmix.localhost', ERASURES_FILE: `${folder}/erasures.ndjson`, ...env };
  const one = async (each, at) => startProgram({ ...options, folder: `${folder}/program-${at + 1}`, env: { ...shared, ROLES: each } });
  const starting = roles.map(one);
  const ended = await Promise.allSettled(starting);
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed === undefined) return ended.map(({ value }) => value);
  await Promise.all(ended.map(({ value }) => value?.kill()));
  throw failed.reason;
}

/** Runs an operator command on a data folder. @returns {Promise<{ code: number, out: string, err: string }>} */
export async function operate(folder, args, { env = {}, milliseconds = START_MS } = {}) {
  const child = spawn(process.execPath, ['backend/dist/operate.js', ...args], {
    cwd: ROOT,
    env: environmentOf({ folder, env }),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: milliseconds,
    killSignal: 'SIGKILL',
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
  const [code] = await once(child, 'close');
  return { code: code ?? -1, out, err };
}
