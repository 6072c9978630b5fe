import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { closeAfterFailure, closeAll } from './platform/close-all.js';
import { Readiness } from './platform/health/readiness.js';
import { NestLogger } from './platform/http/request-log.js';
import { MetricsServer } from './platform/metrics/metrics-server.js';
import type { Platform } from './platform/platform.js';
import { PushQueue } from './platform/push/push-queue.js';
import { loadParts } from './platform/slice.js';
import { buildName } from './platform/version.js';
import { addressOf, type RunningProgram } from './running-program.js';

/** Runs a process without the role web: it serves health on PORT and metrics on METRICS_PORT, but no API and no page. */
export async function serveWithoutWeb(platform: Platform, say: (line: string) => void): Promise<RunningProgram> {
  let app: INestApplicationContext | undefined;
  const servers: MetricsServer[] = [];
  try {
    const module = AppModule.of(platform, await loadParts(platform.slices));
    app = await NestFactory.createApplicationContext(module, { logger: new NestLogger(platform.log), abortOnError: false });
    const readiness = app.get(Readiness);
    const { config, metrics, emailQueue, log } = platform;
    const deps = { readiness, emailQueue, pushQueue: app.get(PushQueue), collect: () => undefined, log };
    servers.push(await MetricsServer.listen({ host: config.HOST, port: config.PORT }, { ...deps, metrics: null, isDetailed: metrics === null }));
    if (config.METRICS_PORT !== null)
      servers.push(await MetricsServer.listen({ host: config.HOST, port: config.METRICS_PORT }, { ...deps, metrics, isDetailed: true }));
    const [address, metricsPort] = [addressOf(config.HOST, servers[0]?.port ?? config.PORT), servers[1]?.port ?? null];
    say(`Roughmix runs as ${config.ROLES.join(' and ')} (health at ${address}/health/ready), version ${buildName()}`);
    if (metricsPort !== null) say(`Metrics are at ${addressOf(config.HOST, metricsPort)}/metrics`);
    const serving = app;
    return { address, metricsPort, firstAccountLink: null, stop: () => stop(serving, platform, servers) };
  } catch (error) {
    await closeAfterFailure([...servers.map((server) => () => server.close()), () => app?.close(), () => platform.close()], platform.log);
    throw error;
  }
}

async function stop(app: INestApplicationContext, platform: Platform, servers: readonly MetricsServer[]): Promise<void> {
  app.get(Readiness).close();
  await closeAll([() => app.close(), () => platform.close(), ...servers.map((server) => () => server.close())], platform.log);
}
