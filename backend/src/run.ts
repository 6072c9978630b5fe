import { once } from 'node:events';
import { createServer } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino, type Logger } from 'pino';
import { makeHttpApp } from './http-app.js';
import { type Config, ConfigError, readConfig } from './platform/config.js';
import { openPlatform } from './platform/platform.js';
import { slices } from './slices.js';

const DRAIN_MS = 10_000;
const IDLE_SWEEP_MS = 50;
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** A program that serves, and how to end it. */
export interface RunningProgram {
  readonly address: string;
  stop(): Promise<void>;
}

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The environment with nothing left open: port 0 became a free one, and the public address follows from it. */
async function settled(config: Config): Promise<Config> {
  const PORT = config.PORT === 0 ? await freePort(config.HOST) : config.PORT;
  return { ...config, PORT, PUBLIC_URL: config.PUBLIC_URL ?? `http://localhost:${PORT}` };
}

const makeLog = (config: Config): Logger =>
  pino({
    level: config.LOG_LEVEL,
    redact: { paths: ['req.headers.authorization', 'req.headers.cookie', '*.password', '*.token'], censor: '[secret]' },
    ...(config.LOG_FORMAT === 'pretty' ? { transport: { target: 'pino-pretty' } } : {}),
  });

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/**
 * Closes the server once everything under way is answered. A connection whose answer was on its way is idle only afterwards: nobody else would end
 * it before its keep-alive is over.
 */
async function closed(app: NestFastifyApplication): Promise<void> {
  const server = app.getHttpServer();
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
  }
}

/** Opens everything, listens, and says where. @throws ConfigError with everything that is wrong, StoreDamaged, StoreAway */
export async function startProgram(environment: NodeJS.ProcessEnv, options: { readonly demo?: boolean } = {}): Promise<RunningProgram> {
  const config = await settled(readConfig(environment));
  const log = makeLog(config);
  const platform = await openPlatform(config, slices, log);
  let app: NestFastifyApplication | undefined;
  try {
    app = await makeHttpApp(platform);
    await app.init();
    const demo = options.demo === true ? await (await import('./demo/seed-demo.js')).seedDemo(app, platform) : [];
    await app.listen(config.PORT, config.HOST);
    const address = `http://${config.HOST}:${config.PORT}`;
    if (platform.secrets.adminKeyPath !== null && platform.secrets.made) say(`The secret admin key lies in ${platform.secrets.adminKeyPath}`);
    for (const line of demo) say(line);
    say(`Roughmix is open at ${config.PUBLIC_URL ?? address} (listening on ${address})`);
  } catch (error) {
    await app?.close();
    await platform.close();
    throw error;
  }
  const serving = app;
  return {
    address: `http://${config.HOST}:${config.PORT}`,
    async stop() {
      await closed(serving);
      await platform.close();
    },
  };
}

/** Runs until SIGTERM or SIGINT, then answers what is under way and closes; after ten seconds it ends all the same. */
export async function runProgram(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const program = await startProgram(environment, { demo: args.includes('--demo') }).catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
    return null;
  });
  if (program === null) return;
  const stop = (): void => {
    for (const signal of SIGNALS) process.removeListener(signal, stop);
    const overdue = setTimeout(() => process.exit(1), DRAIN_MS).unref();
    program.stop().then(
      () => clearTimeout(overdue),
      (error: unknown) => {
        process.stderr.write(`closing failed: ${String(error)}\n`);
        process.exitCode = 1;
      },
    );
  };
  for (const signal of SIGNALS) process.on(signal, stop);
}
