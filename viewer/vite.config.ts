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
  },
  worker: { format: 'es' as const },
}));
