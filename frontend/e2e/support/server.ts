import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../backend/src/testing/free-port';

/** Only a hanging server takes longer; its own shutdown timeout is ten seconds. */
const startLimitMs = 120_000;
const stopLimitMs = 30_000;
const entry = resolve('backend/dist/main.js');
/** Ignore servers configured in the environment: this server uses embedded stores. */
const embedded = { EVENTSTORE_URL: '', MONGO_URL: '', S3_ENDPOINT: '', S3_ACCESS_KEY_ID: '', S3_SECRET_ACCESS_KEY: '', KAFKA_BROKERS: '' };

/** How a user's browser reaches the installation. */
export interface EntryPoint {
  /** The URL for browsers, without a trailing slash. It survives restarts. */
  readonly address: string;
  /** The URL for calls from this process, if it cannot resolve `address`. */
  readonly callAddress?: string;
  /** Value for Chromium's `--host-resolver-rules`, if the browser cannot resolve `address`. */
  readonly hostRules?: string;
  /** The secret of `/api/admin/{key}/…`. */
  adminKey(): Promise<string>;
}

/** A server as started by `npm start`, on a free port with a temporary data folder, which also contains its admin key. */
export interface RunningServer extends EntryPoint {
  readonly dataFolder: string;
  /** The server's output since its last start. */
  output(): string;
  /** Sends SIGKILL. */
  kill9(): Promise<void>;
  /** Restarts it on the same port and data; sends SIGTERM first if it is running, and calls `whileStopped` in between. */
  restart(whileStopped?: () => Promise<void>): Promise<void>;
  /** Restarts another build of the program, whose folder this is, on the same port and data. */
  upgrade(folder: string): Promise<void>;
  /** Sends SIGTERM, waits for the exit and deletes the data folder. @throws if it does not exit with code 0 in time */
  stop(): Promise<void>;
}

interface Process {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  output: string;
}

/** Starts `backend/dist/main.js` and waits until it is ready. */
export async function startServer(environment: Readonly<Record<string, string>> = {}): Promise<RunningServer> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'roughmix-journey-'));
  let program = entry;
  const launch = (port: string) => launchProcess(program, { ...environment, PORT: port, DATA_DIR: dataFolder });
  let current = launch(await freePort());
  const address = await readyAt(current);

  const terminate = async () => {
    if (current.child.exitCode !== null || current.child.signalCode !== null) return;
    current.child.kill('SIGTERM');
    const exit = await within(stopLimitMs, current.ended);
    if (exit !== 0) throw new Error(`the server exited with ${String(exit)} after SIGTERM:\n${current.output}`);
  };
  const restart = async (whileStopped?: () => Promise<void>) => {
    await terminate();
    await whileStopped?.();
    current = launch(new URL(address).port);
    await readyAt(current);
  };
  return {
    address,
    dataFolder,
    adminKey: () => readAdminKey(dataFolder),
    output: () => current.output,
    kill9: async () => {
      current.child.kill('SIGKILL');
      await current.ended;
    },
    restart,
    upgrade: async (folder) => {
      program = join(folder, 'backend/dist/main.js');
      await restart();
    },
    stop: async () => {
      try {
        await terminate();
      } finally {
        current.child.kill('SIGKILL');
        await rm(dataFolder, { recursive: true, force: true });
      }
    },
  };
}

function launchProcess(program: string, environment: Readonly<Record<string, string>>): Process {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, ...embedded, HOST: '127.0.0.1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit').then(([code]: unknown[]) => (typeof code === 'number' ? code : null));
  const started: Process = { child, ended, output: '' };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (started.output += text));
  return started;
}

/** The URL that the server printed, once its `/health/ready` returns 200. */
async function readyAt(server: Process): Promise<string> {
  const deadline = Date.now() + startLimitMs;
  while (Date.now() < deadline) {
    if (server.child.exitCode !== null || server.child.signalCode !== null) break;
    const port = /https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):(\d+)(?=\D)/.exec(server.output)?.[1];
    if (port && (await isReady(`http://127.0.0.1:${port}`))) return `http://127.0.0.1:${port}`;
    await pause(50);
  }
  server.child.kill('SIGKILL');
  throw new Error(`the server was not ready within ${startLimitMs / 1000} s:\n${server.output}`);
}

async function isReady(address: string): Promise<boolean> {
  try {
    const answer = await fetch(`${address}/health/ready`, { signal: AbortSignal.timeout(10_000) });
    return answer.status === 200;
  } catch {
    // Not listening yet.
    return false;
  }
}

async function readAdminKey(dataFolder: string): Promise<string> {
  const name = (await readdir(dataFolder)).find((file) => /^admin[-_.]?key/i.test(file));
  if (!name) throw new Error(`no file with the admin key in ${dataFolder}`);
  return (await readFile(join(dataFolder, name), 'utf8')).trim();
}

async function within<Value>(limitMs: number, promise: Promise<Value>): Promise<Value | undefined> {
  const limit = new AbortController();
  const late = pause(limitMs, undefined, { signal: limit.signal, ref: false });
  const value = await Promise.race([promise, late]);
  limit.abort();
  await late.catch(() => undefined);
  return value;
}
