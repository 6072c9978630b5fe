import { once } from 'node:events';
import { createServer } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino, type Logger } from 'pino';
import { makeHttpApp } from './http-app.js';
import type { Passwords } from './platform/auth/passwords.js';
import type { Clock } from './platform/clock.js';
import { type Config, ConfigError, readConfig } from './platform/config/config.js';
import { warningsOf } from './platform/config/config-warnings.js';
import { endOnErrors, endOnSignals, fail } from './platform/ending.js';
import { Readiness } from './platform/health/readiness.js';
import { Drain, type DrainTimes } from './platform/http/drain.js';
import { LiveGateway } from './platform/live/live.gateway.js';
import { measureHttp } from './platform/metrics/measure-http.js';
import { measureLive, collectLive } from './platform/metrics/measure-live.js';
import { MetricsServer } from './platform/metrics/metrics-server.js';
import { openPlatform, type Platform } from './platform/platform.js';
import type { Slices } from './platform/slice.js';
import { programArguments } from './program-arguments.js';
import { addressOf, type RunningProgram } from './running-program.js';
import { serveWithoutWeb } from './serve-without-web.js';
import { slices as allSlices } from './slices.js';
import { startFailure } from './start-failure.js';

/** After a signal: one second for whoever sends requests here to learn it, six for answers, the rest of the ten for reactors and stores. */
const DRAIN: DrainTimes = { notice: 1_000, answers: 6_000 };
const LIMIT_MS = 9_800;
/** As long the demo waits for a process that builds read models. */
const DEMO_WAITS_MS = 60_000;
/** Whoever starts the program in a process of theirs ends it when nothing is asked any more. */
const AT_ONCE: DrainTimes = { notice: 0, answers: 6_000 };

export interface StartOptions {
  /** Fill an empty data folder with the demo. */
  readonly demo?: boolean;
  /** Instead of the program's own: with further ones, as specs compose them. */
  readonly slices?: Slices;
  /** Instead of the system's; timers and expiries go by it. */
  readonly clock?: Clock;
  /** Other than the program's own; whoever tries it has people sign in by the dozen. */
  readonly passwords?: Passwords;
  /** Other than the program's own, in milliseconds: how long whoever wrote waits until it can be read. */
  readonly patienceMs?: number;
}

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The configuration with nothing left open: port 0 became a free one, and the public address follows from it. */
async function settled(config: Config): Promise<Config> {
  // Fastify makes two servers of the name, of which only one could be watched at the end.
  const HOST = config.HOST === 'localhost' ? '127.0.0.1' : config.HOST;
  const PORT = config.PORT === 0 ? await freePort(HOST) : config.PORT;
  return { ...config, HOST, PORT, PUBLIC_URL: config.PUBLIC_URL ?? `http://localhost:${PORT}` };
}

const makeLog = (config: Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>): Logger =>
  pino({
    level: config.LOG_LEVEL,
    redact: { paths: ['req.headers.authorization', 'req.headers.cookie', '*.password', '*.token'], censor: '[secret]' },
    ...(config.LOG_FORMAT === 'pretty' ? { transport: { target: 'pino-pretty' } } : {}),
  });

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** @throws Error when nobody builds read models: each command waits for them */
async function demoIn(app: NestFastifyApplication, platform: Platform): Promise<readonly string[]> {
  if (!(await platform.readSide.servedWithin(DEMO_WAITS_MS))) throw new Error('the demo needs read models: start a process with the role projector first');
  return (await import('./demo/seed-demo.js')).seedDemo(app, platform);
}

/** Metrics on a port of their own, when one is set. */
async function serveMetrics(app: NestFastifyApplication, { config, metrics, emailQueue, log }: Platform, drain: Drain): Promise<MetricsServer | null> {
  if (metrics === null || config.METRICS_PORT === null) return null;
  const { server } = app.get(LiveGateway);
  measureLive(server, metrics);
  const collect = (): void => {
    collectLive(server, metrics);
    metrics.requestsUnderWay.set(drain.pendingRequests);
  };
  const deps = { metrics, isDetailed: true, readiness: app.get(Readiness), emailQueue, collect, log };
  return MetricsServer.listen({ host: config.HOST, port: config.METRICS_PORT }, deps);
}

/** Opens everything, listens, and says where. @throws StoreDamaged, StoreAway, WrongMasterKey */
async function start(config: Config, log: Logger, options: StartOptions): Promise<RunningProgram> {
  if (options.demo === true && !config.ROLES.includes('web')) throw new Error('--demo sends commands: it needs the role web');
  const platform = await openPlatform(config, options.slices ?? allSlices, log, options);
  return config.ROLES.includes('web') ? serve(platform, options) : serveWithoutWeb(platform, say);
}

/** The API, the pages and the socket. */
async function serve(platform: Platform, options: StartOptions): Promise<RunningProgram> {
  const { config } = platform;
  let app: NestFastifyApplication | undefined;
  try {
    app = await makeHttpApp(platform);
    if (platform.metrics !== null) measureHttp(app.getHttpAdapter().getInstance(), platform.metrics);
    await app.init();
    const drain = new Drain(app.getHttpServer());
    const demo = options.demo === true ? await demoIn(app, platform) : [];
    await app.listen(config.PORT, config.HOST);
    const metricsServer = await serveMetrics(app, platform, drain);
    const address = addressOf(config.HOST, config.PORT);
    if (platform.secrets.adminKeyPath !== null && platform.secrets.adminKeyCreated) say(`The secret admin key lies in ${platform.secrets.adminKeyPath}`);
    for (const line of demo) say(line);
    say(`Roughmix is open at ${config.PUBLIC_URL ?? address} (listening on ${address})`);
    if (metricsServer !== null) say(`Metrics are at ${addressOf(config.HOST, metricsServer.port)}/metrics`);
    const serving = app;
    return { address, metricsPort: metricsServer?.port ?? null, stop: (times = AT_ONCE) => stop({ app: serving, platform, drain, metricsServer, times }) };
  } catch (error) {
    await app?.close();
    await platform.close();
    throw error;
  }
}

interface Stopping {
  readonly app: NestFastifyApplication;
  readonly platform: Platform;
  readonly drain: Drain;
  readonly metricsServer: MetricsServer | null;
  readonly times: DrainTimes;
}

/** Readiness says no first, then nobody new comes in, sockets go elsewhere, what was asked is answered, and at last everything is closed. */
async function stop({ app, platform, drain, metricsServer, times }: Stopping): Promise<void> {
  app.get(Readiness).close();
  await drain.stopListening(times.notice);
  app.get(LiveGateway).server.engine.close();
  const cut = await drain.waitForAnswers(times.answers);
  if (cut > 0) platform.log.warn({ requests: cut }, 'requests were cut off: they took too long for the end');
  await app.close();
  await metricsServer?.close();
  await platform.close();
}

/** Reads and checks the environment, opens everything, listens, and says where. @throws ConfigError with everything that is wrong, and what opening throws */
export async function startProgram(environment: NodeJS.ProcessEnv, options: StartOptions = {}): Promise<RunningProgram> {
  const config = await settled(readConfig(environment));
  return start(config, makeLog(config), options);
}

/** The configuration, or everything that is wrong with it. */
function configIn(environment: NodeJS.ProcessEnv): Config | ConfigError {
  try {
    return readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

/**
 * Runs until SIGTERM or SIGINT, then answers what is under way and ends within ten seconds. With arguments that nobody knows, or in an environment that does
 * not fit, it says everything that is wrong and ends with 2, before anything was opened.
 */
export async function runProgram(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const { demo, instead } = programArguments(args);
  if (instead !== null) {
    (instead.code === 0 ? process.stdout : process.stderr).write(`${instead.text}\n`);
    process.exitCode = instead.code;
    return;
  }
  const config = configIn(environment);
  if (config instanceof ConfigError) {
    process.stderr.write(`${config.message}\n`);
    process.exitCode = 2;
    return;
  }
  const log = makeLog(config);
  endOnErrors(log);
  for (const warning of warningsOf(environment)) log.warn(warning);
  try {
    const program = await start(await settled(config), log, { demo });
    endOnSignals(() => program.stop(DRAIN), { log, limitMs: LIMIT_MS });
  } catch (error) {
    // What was opened before it failed would keep the process alive; nothing was acknowledged yet.
    fail(log, startFailure(error, config), error);
  }
}
