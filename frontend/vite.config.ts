import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// The dev server stands before the real one, as one origin: cookies and the socket work as they do in production.
const server = process.env['SERVER_URL'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2022',
    sourcemap: true,
    // Scripts, fonts and pictures stay files of their own: the content security policy allows no inline script and no data: font.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    rolldownOptions: {
      input: ['index.html', 'src/app/after-paint.ts'],
      output: {
        // What every page needs in one file, which stays in the browser's cache when the page itself changes.
        codeSplitting: { groups: [{ name: 'vendor', test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom|@tanstack)[\\/]/ }] },
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
