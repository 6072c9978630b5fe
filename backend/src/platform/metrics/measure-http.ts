import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from './metrics.js';

/** The value of the label `way` by route. */
const SIGN_INS: Readonly<Partial<Record<string, string>>> = { '/api/auth/login': 'password', '/api/auth/guest': 'guest' };
const ADMIN = '/api/admin/:key';
const PUT = '/api/storage/put/:token';
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const NO_ROUTE = 'none';
const MILLISECONDS = 1_000;

function outcomeOf(status: number): string {
  if (status < 400) return 'ok';
  if (status === 429) return 'throttled';
  return status < 500 ? 'refused' : 'failed';
}

function countSignInsAndUploads(metrics: Metrics, route: string, request: FastifyRequest, status: number): void {
  const outcome = outcomeOf(status);
  const way = SIGN_INS[route] ?? (route.startsWith(ADMIN) ? 'admin-key' : undefined);
  if (way !== undefined) metrics.signIns.inc({ way, outcome });
  if (route !== PUT) return;
  metrics.uploads.inc({ outcome });
  const length = Number(request.headers['content-length']);
  if (outcome === 'ok' && Number.isSafeInteger(length)) metrics.uploadedBytes.inc(length);
}

function measure(metrics: Metrics, request: FastifyRequest, reply: FastifyReply): void {
  // The route's pattern, not the URL: URLs contain ids and secrets, and their number is unbounded.
  const route = request.routeOptions.url ?? NO_ROUTE;
  const method = METHODS.includes(request.method) ? request.method : 'other';
  metrics.requests.inc({ method, route, status: reply.statusCode });
  metrics.requestSeconds.observe({ method, route }, reply.elapsedTime / MILLISECONDS);
  countSignInsAndUploads(metrics, route, request, reply.statusCode);
}

/** Counts and times every request by its route. Must be called before the server is ready. */
export function measureHttp(server: FastifyInstance, metrics: Metrics): void {
  server.addHook('onResponse', (request, reply, done) => {
    measure(metrics, request, reply);
    done();
  });
}
