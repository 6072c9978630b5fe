import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../frontend/dist', import.meta.url));
const PUBLIC_PAGES = join(FOLDER, 'pages');
/** What the server writes itself: index.html for what the page's own router handles, and what crawlers read. */
const WRITTEN = ['/*', '/robots.txt', '/sitemap.xml'];

/** The routes of the page as it was built: its files, the public pages and `WRITTEN`. */
export const builtPageRoutes = (): ReadonlySet<string> => new Set([...WRITTEN, ...files(), ...publicPages()].map((path) => `GET ${path}`));

function files(): readonly string[] {
  if (!existsSync(FOLDER)) return [];
  const entries = readdirSync(FOLDER, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.parentPath !== PUBLIC_PAGES);
  return entries.map(({ parentPath, name }) => `/${relative(FOLDER, join(parentPath, name)).replaceAll(sep, '/')}`);
}

function publicPages(): readonly string[] {
  const list = join(PUBLIC_PAGES, 'pages.json');
  const pages = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as readonly { readonly path: string }[]) : [];
  return pages.map(({ path }) => path);
}
