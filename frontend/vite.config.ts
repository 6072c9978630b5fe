import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import browsers from './browsers.json' with { type: 'json' };

// The dev server stands before the real one, as one origin: cookies and the socket work as they do in production.
const server = process.env['SERVER_URL'] ?? 'http://127.0.0.1:3000';

/** Small modules that every page loads; in files of their own they would compress worse and cost a request each. */
const BASE = [
  'frontend/src/shared/(api/(?!upload)|session/(?!login-dialog|session\\.live)|removals/|hooks/use-(page-title|media))',
  'frontend/src/shared/ui/(button|icon\\.|class-names|logo|field|text-field|toasts|toast-queue)',
  'contracts/dist/(users/user\\.paths|shared/(basic-problems|ids))',
  'lucide-react/dist/esm/(createLucideIcon|Icon|shared)',
];

export default defineConfig({
  plugins: [react()],
  build: {
    target: browsers,
    sourcemap: true,
    // Scripts, fonts and pictures stay files of their own: the content security policy allows no inline script and no data: font.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    rolldownOptions: {
      input: ['index.html', 'src/app/after-paint.ts'],
      output: {
        // What every page needs, in two files: packages, which stay in the browser's cache when the page itself changes, and code of ours.
        codeSplitting: {
          groups: [
            // Apart from both, because the script of prerendered pages needs it at once.
            { name: 'preload', test: /preload-helper|rolldown[\\/]runtime|shared[\\/]api[\\/]newer-build/, priority: 1 },
            { name: 'vendor', test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom|@tanstack[\\/](react-query|query-core))[\\/]/ },
            { name: 'base', test: new RegExp(BASE.join('|').replaceAll('/', String.raw`[\\/]`)) },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  server: {
    port: 5173,
    strictPort: true,
    proxy: {
      '/api': server,
      '/health': server,
      '/docs': server,
      '/socket.io': { target: server, ws: true },
    },
  },
});
