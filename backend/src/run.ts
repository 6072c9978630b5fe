import { once } from 'node:events';
import { createServer } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { StartRefused } from './expected-errors.js';
import { makeHttpApp } from './http-app.js';
import type { Passwords } from './platform/auth/passwords.js';
import type { StartChild } from './platform/children/limited-child.js';
import { type Clock, systemClock } from './platform/clock.js';
import { closeAfterFailure, closeAll } from './platform/close-all.js';
import { type Config, readConfig } from './platform/config/config.js';
import { Readiness } from './platform/health/readiness.js';
import { Drain, type DrainTimes } from './platform/http/drain.js';
import { LiveGateway } from './platform/live/live.gateway.js';
import { measureHttp } from './platform/metrics/measure-http.js';
import { measureLive, collectLive } from './platform/metrics/measure-live.js';
import { MetricsServer } from './platform/metrics/metrics-server.js';
import { openPlatform, type Platform } from './platform/platform.js';
import { PushQueue } from './platform/push/push-queue.js';
import { SecurityLog } from './platform/security/security-log.js';
import type { Slices } from './platform/slice.js';
import type { WritingThreads } from './platform/sqlite/writing-threads.js';
import { buildName } from './platform/version.js';
import { openLog } from './program-log.js';
import { addressOf, type RunningProgram } from './running-program.js';
import { serveWithoutWeb } from './serve-without-web.js';
import { slices as allSlices } from './slices.js';
import { FirstAccount } from './users/first-account.js';

/** How long the demo waits for read models, which another process may build. */
const DEMO_WAIT_MS = 60_000;
/** For callers in the same process, who stop it when no client is left. */
const IMMEDIATE: DrainTimes = { notice: 0, answers: 6_000 };

export interface StartOptions {
  /** Fill an empty data folder with the demo. */
  readonly demo?: boolean;
  /** Replaces the program's slices; specs add their own. */
  readonly slices?: Slices;
  /** Replaces the system clock for timers and expiries. */
  readonly clock?: Clock;
  /** Replaces the password hashing, which is too slow for specs with many sign-ins. */
  readonly passwords?: Passwords;
  /** Replaces the security log's output, which is standard output. */
  readonly writeSecurity?: (line: string) => void;
  /** How long requests wait for read models, in milliseconds. */
  readonly maxWaitMs?: number;
  /** Replaces the source of the embedded stores' writer threads, which is a new one for each file. */
  readonly threads?: WritingThreads;
  /** Replaces how processes start that read uploaded files. */
  readonly startChild?: StartChild;
}

/** A port that can be listened on, any with 0. @throws the error of listen() */
async function freePort(host: string, port: number): Promise<number> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Replaces port 0 by a free one and derives the public address from it. A port in use is reported before a new data folder is created. */
async function resolveAddress(config: Config): Promise<Config> {
  // For the name Fastify would open two servers, and only one of them could be drained.
  const HOST = config.HOST === 'localhost' ? '127.0.0.1' : config.HOST;
  const PORT = config.ROLES.includes('web') || config.PORT === 0 ? await freePort(HOST, config.PORT) : config.PORT;
  if (config.METRICS_PORT !== null) await freePort(HOST, config.METRICS_PORT);
  return { ...config, HOST, PORT, PUBLIC_URL: config.PUBLIC_URL ?? `http://localhost:${PORT}` };
}

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** @throws StartRefused if no process builds read models, which every command waits for */
async function seedDemo(app: NestFastifyApplication, platform: Platform): Promise<readonly string[]> {
  if (!(await platform.readSide.servedWithin(DEMO_WAIT_MS))) throw new StartRefused('--demo needs read models: start a process with the role projector first');
  return (await import('./demo/seed-demo.js')).seedDemo(app, platform);
}

/** Serves metrics on METRICS_PORT, if it is set. */
async function serveMetrics(app: NestFastifyApplication, { config, metrics, emailQueue, log }: Platform, drain: Drain): Promise<MetricsServer | null> {
  if (metrics === null || config.METRICS_PORT === null) return null;
  const { server } = app.get(LiveGateway);
  measureLive(server, metrics);
  const collect = (): void => {
    collectLive(server, metrics);
    metrics.requestsUnderWay.set(drain.pendingRequests);
  };
  const deps = { metrics, isDetailed: true, readiness: app.get(Readiness), emailQueue, pushQueue: app.get(PushQueue), collect, log };
  return MetricsServer.listen({ host: config.HOST, port: config.METRICS_PORT }, deps);
}

/** Opens everything, listens and prints the address. @throws StoreDamaged, ServiceUnavailable, WrongMasterKey */
export async function start(read: Config, log: Logger, options: StartOptions): Promise<RunningProgram> {
  const config = await resolveAddress(read);
  if (options.demo === true && !config.ROLES.includes('web')) throw new StartRefused('--demo sends commands, so it needs the role web');
  const { clock = systemClock, writeSecurity: write } = options;
  const security = new SecurityLog({ config, clock, ...(write === undefined ? {} : { write }) });
  const platform = await openPlatform(config, options.slices ?? allSlices, log, { ...options, security });
  return config.ROLES.includes('web') ? serve(platform, options) : serveWithoutWeb(platform, say);
}

/** Serves the API, the pages and the socket. */
async function serve(platform: Platform, options: StartOptions): Promise<RunningProgram> {
  const { config } = platform;
  let app: NestFastifyApplication | undefined;
  try {
    app = await makeHttpApp(platform);
    if (platform.metrics !== null) measureHttp(app.getHttpAdapter().getInstance(), platform.metrics);
    await app.init();
    const live = app.get(LiveGateway);
    await live.start(live.server);
    const drain = new Drain(app.getHttpServer());
    const demo = options.demo === true ? await seedDemo(app, platform) : [];
    // Not app.listen, which logs its failure beside the one that is printed.
    await app.getHttpAdapter().getInstance().listen({ port: config.PORT, host: config.HOST });
    const metricsServer = await serveMetrics(app, platform, drain);
    const address = addressOf(config.HOST, config.PORT);
    if (platform.secrets.adminKeyPath !== null && platform.secrets.adminKeyCreated) say(`The admin key is in ${platform.secrets.adminKeyPath}`);
    for (const line of demo) say(line);
    // With several processes, each would print a link that only it accepts.
    const firstAccountLink = platform.reactors.isAlone ? await app.get(FirstAccount, { strict: false }).newLink() : null;
    if (firstAccountLink !== null) say(`Make the first account at ${firstAccountLink}`);
    say(`Roughmix is open at ${config.PUBLIC_URL ?? address} (listening on ${address}), version ${buildName()}`);
    if (metricsServer !== null) say(`Metrics are at ${addressOf(config.HOST, metricsServer.port)}/metrics`);
    const running = app;
    return {
      address,
      metricsPort: metricsServer?.port ?? null,
      firstAccountLink,
      stop: (times = IMMEDIATE) => stop({ app: running, platform, drain, metricsServer, times }),
    };
  } catch (error) {
    await closeAfterFailure([() => app?.close(), () => platform.close()], platform.log);
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

/** Reports not ready, stops accepting connections, closes sockets so that clients reconnect elsewhere, finishes open requests, then closes everything. */
async function stop({ app, platform, drain, metricsServer, times }: Stopping): Promise<void> {
  app.get(Readiness).close();
  await drain.stopListening(times.notice);
  app.get(LiveGateway).server.engine.close();
  const aborted = await drain.waitForAnswers(times.answers);
  if (aborted > 0) platform.log.warn({ requests: aborted }, 'requests aborted: they did not finish before the shutdown deadline');
  await closeAll([() => app.close(), () => metricsServer?.close(), () => platform.close()], platform.log);
}

/** Reads and checks the environment, opens everything, listens and prints the address. @throws ConfigError with every mistake, and what opening throws */
export async function startProgram(environment: NodeJS.ProcessEnv, options: StartOptions = {}): Promise<RunningProgram> {
  const config = readConfig(environment);
  return start(config, await openLog(config), options);
}
