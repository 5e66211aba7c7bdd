import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';

/** The demo serves the page at `/` and everything that it loads below this path. */
const BASE = '/-/studio/';

/** `npx vite packages/studio` is for work on the page itself: it reloads as files change, and its agent is a demo started beside it. */
const AGENT = process.env.PARLEY_AGENT ?? 'http://127.0.0.1:4000';

export default defineConfig({
  root: import.meta.dirname,
  base: BASE,
  plugins: [react(), tailwind(), precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // An inlined file would need `data:` in more places of the page's Content-Security-Policy.
    assetsInlineLimit: 0,
    // Which files the first load needs: the size check reads it.
    manifest: 'manifest.json',
    reportCompressedSize: false,
    // `npm test` says when the first load is too large.
    chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
    // Its script for old browsers would be inline, and the page allows none.
    modulePreload: { polyfill: false },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '^/(?!-/studio/)': { target: AGENT, changeOrigin: true } },
  },
});
