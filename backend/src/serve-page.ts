import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { slugIn } from '@roughmix/contracts/profiles/profile.paths.js';
import type { ProfileView } from '@roughmix/contracts/profiles/profile.view.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tokenOf } from './platform/auth/sessions.js';
import type { Config } from './platform/config/config.js';
import { publicUrlOf } from './platform/http/origin.js';
import { sendProblem } from './platform/http/problem.filter.js';
import { redactUrl } from './platform/http/redact-url.js';
import { withProfileHead } from './profile-head.js';

const PAGE_FOLDER = fileURLToPath(new URL('../../frontend/dist', import.meta.url));
const NOT_THE_PAGE = /^\/(?:api|socket\.io|health|docs|metrics|assets)(?:\/|$|\?)/;
/** Placeholder of the public URL in the built pages (frontend/prerender.mjs). */
const ORIGIN = 'https://origin.invalid';

type SiteConfig = Pick<Config, 'PUBLIC_URL' | 'PORT'>;
/** Finds a profile as visitors see it; null for an unknown slug. */
type FindProfile = (slug: string) => Promise<ProfileView | null>;

/** A page that was built as HTML. */
interface BuiltPage {
  readonly path: string;
  readonly file: string;
  /** False where the page redirects signed-in users. */
  readonly isForEverybody: boolean;
}

/**
 * Serves the page: its files, the public pages as HTML, what crawlers read, and index.html for every other path, which the page's own router
 * handles. That of a profile has its title and description. Nothing if the page is not built.
 */
export async function servePage(server: FastifyInstance, config: SiteConfig, findProfile: FindProfile): Promise<void> {
  if (!existsSync(join(PAGE_FOLDER, 'index.html'))) return;
  await server.register(fastifyStatic, {
    root: PAGE_FOLDER,
    wildcard: false,
    index: false,
    globIgnore: ['pages/**'],
    setHeaders: (reply, path) => void reply.header('Cache-Control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'),
  });
  await servePublicPages(server, config);
  const index = await readFile(join(PAGE_FOLDER, 'index.html'), 'utf8');
  server.get('/*', async (request, reply) => {
    if (NOT_THE_PAGE.test(request.url)) {
      sendProblem(reply, 'route.not-found', { instance: redactUrl(request.url) });
      return reply;
    }
    const user = await profileAt(request, findProfile);
    // Only the public pages and profiles have something to index.
    if (user === null || user.noindex) return reply.header('X-Robots-Tag', 'noindex').sendFile('index.html');
    return sendText(request, reply.type('text/html; charset=utf-8'), withProfileHead(index, user, publicUrlOf(config)));
  });
}

/** The profile whose page is requested. While it cannot be read, the page is served without it and tells the reader what is wrong. */
async function profileAt({ url, log }: FastifyRequest, findProfile: FindProfile): Promise<ProfileView | null> {
  const slug = slugIn(url.split('?', 1)[0] ?? '');
  if (slug === null) return null;
  try {
    return await findProfile(slug);
  } catch (error) {
    log.warn({ err: error }, 'profile could not be read; its page is served without a title');
    return null;
  }
}

async function servePublicPages(server: FastifyInstance, config: SiteConfig): Promise<void> {
  const list = join(PAGE_FOLDER, 'pages', 'pages.json');
  if (!existsSync(list)) return;
  const pages = JSON.parse(await readFile(list, 'utf8')) as readonly BuiltPage[];
  for (const { path, file, isForEverybody } of pages) {
    const html = await readFile(join(PAGE_FOLDER, 'pages', file), 'utf8');
    server.get(path, (request, reply) => {
      // The response depends on the cookie, which is checked by the page's first call.
      if (!isForEverybody) void reply.header('Vary', 'Cookie');
      if (!isForEverybody && tokenOf(request.headers, config.PUBLIC_URL).token !== null) return reply.sendFile('index.html');
      return sendText(request, reply.type('text/html; charset=utf-8'), html.replaceAll(ORIGIN, publicUrlOf(config)));
    });
  }
  const paths = pages.map(({ path }) => path);
  server.get('/robots.txt', (request, reply) => sendText(request, reply.type('text/plain; charset=utf-8'), robotsOf(publicUrlOf(config))));
  server.get('/sitemap.xml', (request, reply) => sendText(request, reply.type('application/xml; charset=utf-8'), sitemapOf(publicUrlOf(config), paths)));
}

/** What a profile page shows comes from below /api/users/. */
const robotsOf = (origin: string): string => `User-agent: *\nAllow: /api/users/\nDisallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`;

const sitemapOf = (origin: string, paths: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths.map((path) => `  <url><loc>${origin}${path}</loc></url>`).join('\n')}
</urlset>
`;

/** Sends a text that browsers check for changes each time. */
function sendText(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const tag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  void reply.header('Cache-Control', 'no-cache').header('ETag', tag);
  const known = request.headers['if-none-match']?.split(',').map((one) => one.trim());
  return known?.includes(tag) ? reply.code(304).send() : reply.send(text);
}
