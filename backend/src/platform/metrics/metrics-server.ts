import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readiness } from '../health/readiness.js';
import type { EmailQueue } from '../mail/email-queue.js';
import type { PushQueue } from '../push/push-queue.js';
import type { Metrics } from './metrics.js';
import { collectEmails } from './collect-emails.js';
import { collectPushes } from './collect-pushes.js';
import { collectState } from './collect-state.js';
import type { Logger } from '../logger.js';

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export interface MetricsServerDeps {
  /** Null: `/metrics` is not found. */
  readonly metrics: Metrics | null;
  /** Whether `/health/ready` returns the whole report or its status only. */
  readonly isDetailed: boolean;
  readonly readiness: Pick<Readiness, 'report'>;
  readonly emailQueue: Pick<EmailQueue, 'status'>;
  readonly pushQueue: Pick<PushQueue, 'status'>;
  /** Sets the gauges that are only updated on a scrape. */
  readonly collect: () => void;
  readonly log: Logger;
}

const json = (status: number, body: unknown): Answer => ({ status, type: 'application/json; charset=utf-8', body: JSON.stringify(body) });

async function metricsText(metrics: Metrics, { readiness, emailQueue, pushQueue, collect }: MetricsServerDeps): Promise<Answer> {
  const [report] = await Promise.all([readiness.report(), collectEmails(emailQueue, metrics), collectPushes(pushQueue, metrics)]);
  collectState(report, metrics);
  collect();
  return { status: 200, type: metrics.registry.contentType, body: await metrics.registry.metrics() };
}

async function readyText({ readiness, isDetailed }: MetricsServerDeps): Promise<Answer> {
  const report = await readiness.report();
  return json(report.status === 'ready' ? 200 : 503, isDetailed ? report : { status: report.status });
}

async function answerOf(request: IncomingMessage, deps: MetricsServerDeps): Promise<Answer> {
  const path = request.url?.split('?')[0];
  if (request.method !== 'GET') return json(405, { status: 'only GET is allowed' });
  if (path === '/metrics' && deps.metrics !== null) return metricsText(deps.metrics, deps);
  if (path === '/health/ready') return readyText(deps);
  if (path === '/health/live') return json(200, { status: 'ok' });
  return json(404, { status: 'not found' });
}

async function serve(request: IncomingMessage, response: ServerResponse, deps: MetricsServerDeps): Promise<void> {
  const { status, type, body } = await answerOf(request, deps).catch((error: unknown) => {
    deps.log.error({ err: error }, 'metrics request failed');
    return json(500, { status: 'failed' });
  });
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
}

/** Serves Prometheus metrics at `/metrics` and health without a session, so its port must stay internal. Processes without the role web serve nothing else. */
export class MetricsServer {
  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** @throws Error when the port is taken */
  static async listen({ host, port }: { readonly host: string; readonly port: number }, deps: MetricsServerDeps): Promise<MetricsServer> {
    const server = createServer((request, response) => void serve(request, response, deps)).listen(port, host);
    await once(server, 'listening');
    return new MetricsServer(server, (server.address() as AddressInfo).port);
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    if (this.server.listening) await once(this.server, 'close');
  }
}
