// The last step of the build: writes the HTML of the public pages to dist/pages, with a list of them for the server.
// It runs the page's own code without a browser. The server replaces ORIGIN by the address that browsers open.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const dist = new URL('dist/', import.meta.url);
const pagesFolder = new URL('pages/', dist);
const codeFolder = new URL('node_modules/.prerender/', import.meta.url);
const ORIGIN = 'https://origin.invalid';
const ENTRY = 'src/app/after-paint.ts';
/** The code of each page, whose style sheets its HTML links to. */
const SOURCES = {
  landing: 'src/app/routes/landing-page.tsx',
  login: 'src/app/routes/login-page.tsx',
  passwordReset: 'src/app/routes/reset-page.tsx',
  contact: 'src/app/routes/contact-page.tsx',
  privacy: 'src/app/routes/legal-pages.tsx',
  terms: 'src/app/routes/legal-pages.tsx',
  projectsTerms: 'src/app/routes/legal-pages.tsx',
};

async function loadCode() {
  await build({
    root,
    logLevel: 'warn',
    build: { ssr: 'src/app/prerender.tsx', outDir: fileURLToPath(codeFolder), emptyOutDir: true, manifest: false, sourcemap: false, copyPublicDir: false },
  });
  return import(new URL('prerender.js', codeFolder).href);
}

const manifest = JSON.parse(await readFile(new URL('.vite/manifest.json', dist), 'utf8'));

/** The style sheets of a file and of everything it imports, in the order in which a browser would load them. */
function stylesOf(name, found = new Set(), seen = new Set()) {
  if (seen.has(name)) return found;
  seen.add(name);
  const { imports = [], css = [] } = manifest[name];
  for (const imported of imports) stylesOf(imported, found, seen);
  for (const file of css) found.add(file);
  return found;
}

/** The font's file for Latin text, which would otherwise be discovered after the style sheets. */
const font = (await readdir(new URL('assets/', dist))).find((name) => /^archivo-latin-wdth-normal-.*\.woff2$/.test(name));

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

function headOf({ path, title, description }, source) {
  const styles = new Set([...manifest[ENTRY].dynamicImports, source].flatMap((name) => [...stylesOf(name)]));
  const meta = (kind, name, content) => `<meta ${kind}="${name}" content="${escape(content)}" />`;
  return [
    `<title>${escape(title)}</title>`,
    meta('name', 'description', description),
    `<link rel="canonical" href="${ORIGIN}${path}" />`,
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', 'Roughmix'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', `${ORIGIN}${path}`),
    meta('property', 'og:image', `${ORIGIN}/site/card.png`),
    meta('property', 'og:image:width', '1200'),
    meta('property', 'og:image:height', '630'),
    meta('property', 'og:image:alt', 'Roughmix: Your rough mix has something to say. A waveform, half played.'),
    meta('name', 'twitter:card', 'summary_large_image'),
    `<link rel="preload" href="/assets/${font}" as="font" type="font/woff2" crossorigin />`,
    ...[...styles].map((file) => `<link rel="stylesheet" href="/${file}" />`),
    `<script type="module" src="/${manifest[ENTRY].file}"></script>`,
  ].join('\n    ');
}

/** The page's own index.html, without what is replaced: its title and description, its scripts and style sheets. */
const template = (await readFile(new URL('index.html', dist), 'utf8'))
  .replace(/\s*<title>.*<\/title>/, '')
  .replace(/\s*<meta name="description"[^>]*>/, '')
  .replaceAll(/\s*<script type="module"[^>]*><\/script>/g, '')
  .replaceAll(/\s*<link rel="(?:modulepreload|stylesheet)"[^>]*>/g, '');

const { PUBLIC_PAGES, renderPage } = await loadCode();
await rm(pagesFolder, { recursive: true, force: true });
await mkdir(pagesFolder, { recursive: true });
for (const [name, page] of Object.entries(PUBLIC_PAGES)) {
  const html = template.replace('</head>', `  ${headOf(page, SOURCES[name])}\n  </head>`);
  const rendered = await renderPage(page.path);
  await writeFile(
    new URL(`${name}.html`, pagesFolder),
    html.replace('<div id="root"></div>', () => `<div id="root">${rendered}</div>`),
  );
}
await writeFile(
  new URL('pages.json', pagesFolder),
  JSON.stringify(
    Object.entries(PUBLIC_PAGES).map(([name, { path, isForEverybody }]) => ({ path, file: `${name}.html`, isForEverybody })),
    null,
    2,
  ),
);
await rm(codeFolder, { recursive: true, force: true });
await rm(new URL('.vite/', dist), { recursive: true, force: true });
