import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

const UI_FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const UI_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Roughmix API</title>
    <link rel="stylesheet" href="/docs/ui/swagger-ui.css" />
  </head>
  <body>
    <div id="api"></div>
    <script src="/docs/ui/swagger-ui-bundle.js"></script>
    <script src="/docs/begin.js"></script>
  </body>
</html>
`;
const SCRIPT = "SwaggerUIBundle({ url: '/docs/openapi.json', dom_id: '#api' });\n";

/** Serves OpenAPI at `/docs` (page) and `/docs/openapi.json`. Generated on demand, because loading the generator takes 250 ms. */
export async function serveDocs(server: FastifyInstance, app: NestFastifyApplication): Promise<void> {
  let document: Promise<object> | undefined;
  const generate = async (): Promise<object> => (await import('./openapi.js')).openApiOf(app);
  server.get('/docs/openapi.json', () => (document ??= generate()));
  server.get('/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE));
  server.get('/docs/begin.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(SCRIPT));
  await server.register(fastifyStatic, {
    root: UI_FOLDER,
    prefix: '/docs/ui/',
    decorateReply: false,
    index: false,
    allowedPath: (path) => UI_FILES.includes(path.slice(1)),
  });
}
