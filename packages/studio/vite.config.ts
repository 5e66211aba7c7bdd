import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';

/** The demo serves the page at `/`, and its assets below this path. */
const BASE = '/-/studio/';

/** For development of Studio: `npx vite packages/studio` reloads on file changes and proxies to a demo agent that runs separately. */
const AGENT = process.env.PARLEY_AGENT ?? 'http://127.0.0.1:4000';

export default defineConfig({
  root: import.meta.dirname,
  base: BASE,
  plugins: [react(), tailwind(), precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Inlined files would require `data:` in more directives of the page's Content-Security-Policy.
    assetsInlineLimit: 0,
    // The size check reads it to find the files of the first load.
    manifest: 'manifest.json',
    reportCompressedSize: false,
    // The size check of `npm test` reports a first load that is too large.
    chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
    // The polyfill is an inline script, which the Content-Security-Policy forbids.
    modulePreload: { polyfill: false },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '^/(?!-/studio/)': { target: AGENT, changeOrigin: true } },
  },
});
