import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // Contracts are read from their sources: nothing has to be built before the dashboard.
  resolve: { conditions: ['@outdial/source', 'module', 'browser'] },
  build: {
    // Browsers that know `light-dark()`: rewritten for older ones it would not follow the switch of the colour scheme.
    target: ['chrome125', 'edge125', 'firefox126', 'safari17.5'],
    // Fonts and images stay files: the policy of the page allows no others.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000', '/docs': 'http://127.0.0.1:3000' } },
});
