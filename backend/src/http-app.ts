import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyCompress from '@fastify/compress';
import fastifyHelmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { AppModule } from './app.module.js';
import { serveDocs } from './platform/http/docs.js';
import { readJson } from './platform/http/body.js';
import { sendProblem } from './platform/http/problem.filter.js';
import { redactUrl } from './platform/http/redact-url.js';
import { requestHashWith } from './platform/http/request-context.js';
import { NestLog, logRequests } from './platform/http/request-log.js';
import type { Platform } from './platform/platform.js';

const PAGE_FOLDER = fileURLToPath(new URL('../../frontend/dist', import.meta.url));
/** Longer than any list of ids that could be asked for: what is too long for Node is refused before. */
const LONGEST_PATH = 16_384;
const NO_PAGES = /^\/(?:api|socket\.io|health|docs|metrics|assets)(?:\/|$|\?)/;

/** The two style sheets that react-aria writes into the page, for presses and for scrolling under a dialog on iOS; a new version may need new hashes. */
const REACT_ARIA_STYLES = ["'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='", "'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='"];

const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", ...REACT_ARIA_STYLES],
    styleSrcAttr: ["'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    mediaSrc: ["'self'", 'blob:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
} as const;

const DOCS_POLICY = "default-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data:;object-src 'none';base-uri 'none';frame-ancestors 'none'";

/** The HTTP server with every route, ready to listen. */
export async function makeHttpApp(platform: Platform): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    loggerInstance: platform.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: platform.config.TRUST_PROXY?.split(',').map((each) => each.trim()) ?? false,
    bodyLimit: LIMITS.jsonBytes,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: LONGEST_PATH },
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      sendProblem(reply, 'route.not-found', { instance: redactUrl(request.url) }),
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.of(platform), adapter, { logger: new NestLog(platform.log), bodyParser: false });
  const server = adapter.getInstance<FastifyInstance>();
  server.decorate('requestHash', requestHashWith(platform.vaultKeys.key('requests')));
  // Broken JSON is told when its turn has come: who may not call at all learns nothing else before.
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => done(null, readJson(String(text))));
  server.removeContentTypeParser('text/plain');
  server.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  logRequests(server);
  await secure(server, platform.config.PUBLIC_URL?.startsWith('https:') ?? false);
  await servePages(server);
  await serveDocs(server, app);
  app.useWebSocketAdapter(new IoAdapter(app));
  return app;
}

async function secure(server: FastifyInstance, isTls: boolean): Promise<void> {
  await server.register(fastifyHelmet, { contentSecurityPolicy, hsts: isTls, crossOriginEmbedderPolicy: false, referrerPolicy: { policy: 'same-origin' } });
  await server.register(fastifyCompress, {
    global: true,
    threshold: 1_024,
    // Brotli at a speed that answers can wait for makes nothing smaller here.
    encodings: ['gzip'],
    customTypes: /^(?:text\/|application\/(?:json|javascript|problem\+json)|image\/svg)/,
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    // The page of the API's documentation, not ours, is made with styles in its text.
    if (request.url.startsWith('/docs')) void reply.header('Content-Security-Policy', DOCS_POLICY);
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control')) void reply.header('Cache-Control', 'no-store');
    done(null, payload);
  });
}

/** The page's files, and the page itself for every path that is nothing else: it finds its way by itself. */
async function servePages(server: FastifyInstance): Promise<void> {
  if (!existsSync(join(PAGE_FOLDER, 'index.html'))) return;
  await server.register(fastifyStatic, {
    root: PAGE_FOLDER,
    wildcard: false,
    index: false,
    setHeaders: (reply, path) => void reply.header('Cache-Control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'),
  });
  server.get('/*', (request, reply) => {
    if (NO_PAGES.test(request.url)) sendProblem(reply, 'route.not-found', { instance: redactUrl(request.url) });
    else void reply.sendFile('index.html');
  });
}
