import fastifyCompress from '@fastify/compress';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { AppModule } from './app.module.js';
import { serveAsyncApi } from './asyncapi/serve-asyncapi.js';
import { trustedProxies } from './platform/http/client-address.js';
import { serveDocs } from './platform/http/docs.js';
import { addBodyParsers } from './platform/http/json-body.js';
import { CONNECTION_CHECK_MS, refuseClientError, refuseMalformed, SERVER_TIMEOUTS } from './platform/http/malformed.js';
import { sendProblem } from './platform/http/problem.filter.js';
import { COMPRESSION_THRESHOLD } from './platform/http/serialized-answer.js';
import { redactUrl } from './platform/http/redact-url.js';
import { requestHashWith } from './platform/http/request-context.js';
import { NestLogger, logRequests } from './platform/http/request-log.js';
import { DATA_HEADERS, addSecurityHeaders } from './platform/http/security-headers.js';
import { WebsocketOnlyAdapter } from './platform/live/websocket-only.adapter.js';
import type { Platform } from './platform/platform.js';
import { loadParts } from './platform/slice.js';
import { warnOfUntrustedProxies } from './platform/http/untrusted-proxy.js';
import { ProfilesQueries } from './profiles/profiles.queries.js';
import { servePage } from './serve-page.js';

/** So the router never refuses a long list of ids; Node limits the length of URLs. */
const MAX_PARAM_LENGTH = 16_384;

/** Creates the HTTP server with every route, ready to listen. */
export async function makeHttpApp(platform: Platform): Promise<NestFastifyApplication> {
  const { headersTimeout, ...times } = SERVER_TIMEOUTS;
  const trustProxy = trustedProxies(platform.config);
  const adapter = new FastifyAdapter({
    loggerInstance: platform.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      sendProblem(reply.headers(DATA_HEADERS), 'route.not-found', { instance: redactUrl(request.url) }),
    clientErrorHandler: refuseClientError,
    ...times,
    http: { headersTimeout, connectionsCheckingInterval: CONNECTION_CHECK_MS, requireHostHeader: false },
  });
  const module = AppModule.of(platform, await loadParts(platform.slices));
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, { logger: new NestLogger(platform.log), bodyParser: false });
  const server = adapter.getInstance<FastifyInstance>();
  server.decorate('requestHash', requestHashWith(platform.vaultKeys.key('requests')));
  addBodyParsers(server);
  logRequests(server, platform.config);
  warnOfUntrustedProxies(server, trustProxy, platform.config);
  const { PUBLIC_URL, S3_ENDPOINT, S3_PUBLIC_ENDPOINT } = platform.config;
  await addSecurityHeaders(server, { isTls: PUBLIC_URL?.startsWith('https:') ?? false, filesOrigin: S3_PUBLIC_ENDPOINT ?? S3_ENDPOINT });
  refuseMalformed(server);
  await compress(server);
  await servePage(server, platform.config, (slug) => app.get(ProfilesQueries, { strict: false }).visible(slug));
  await serveDocs(server, app);
  serveAsyncApi(server, platform.slices.fieldClasses);
  app.useWebSocketAdapter(new WebsocketOnlyAdapter(app));
  return app;
}

async function compress(server: FastifyInstance): Promise<void> {
  await server.register(fastifyCompress, {
    global: true,
    // Our clients never compress bodies, and decompression would allow zip bombs.
    globalDecompression: false,
    threshold: COMPRESSION_THRESHOLD,
    // At an acceptable speed Brotli compresses no better here.
    encodings: ['gzip'],
    customTypes: /^(?:text\/|application\/(?:json|javascript|problem\+json)|image\/svg)/,
  });
}
