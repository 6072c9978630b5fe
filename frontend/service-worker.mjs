// Builds the service worker, dist/service-worker.js, with the list of the files that it keeps: everything that the app may load. Runs after prerender.mjs.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const dist = new URL('dist/', import.meta.url);
/** Their names do not change with their content. */
const NAMED = ['index.html', 'theme.js', 'favicon.svg', 'manifest.webmanifest'];

const revisionOf = async (file) =>
  createHash('sha256')
    .update(await readFile(new URL(file, dist)))
    .digest('hex')
    .slice(0, 16);
const assets = (await readdir(new URL('assets/', dist))).filter((name) => /\.(?:js|css|woff2)$/.test(name)).toSorted();
const shell = [
  ...(await Promise.all(NAMED.map(async (file) => ({ url: `/${file}`, revision: await revisionOf(file) })))),
  ...assets.map((name) => ({ url: `/assets/${name}`, revision: null })),
];

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  define: { SHELL: JSON.stringify(shell), 'process.env.NODE_ENV': '"production"' },
  build: {
    target: JSON.parse(await readFile(new URL('browsers.json', import.meta.url), 'utf8')),
    emptyOutDir: false,
    copyPublicDir: false,
    sourcemap: false,
    rolldownOptions: {
      input: 'src/service-worker/service-worker.ts',
      // Firefox has no module workers of this kind.
      output: { format: 'iife', entryFileNames: 'service-worker.js' },
    },
  },
});
