import { defineConfig } from 'vite';

// The native page goes where the crate embeds it from; the static page, with the engine inside, stands by itself.
export default defineConfig(({ mode }) => ({
  base: './',
  build: {
    target: 'es2022',
    outDir: mode === 'static' ? 'dist-static' : '../crates/condyle-viewer/page',
    emptyOutDir: true,
    assetsDir: 'assets',
    chunkSizeWarningLimit: 2000,
    // What the page contains of others, with their licences, beside it.
    license: { fileName: 'licenses.md' },
  },
  worker: { format: 'es' as const },
}));
