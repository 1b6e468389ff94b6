import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { refuseCircularChunks } from './vite-plugins/circular-chunks.ts';

/** Modules that nearly every page uses, including the sign-in page. */
const COMMON = new RegExp(
  [
    'src/app/layout/(brand|color-scheme-switch)',
    'src/shared/(api|forms|format|session)/',
    'src/shared/components/(error-notice|links)',
    '@tanstack/(react-query|query-core)/',
    '@mantine/core/esm/core/',
    '@mantine/core/esm/components/(ActionIcon|Alert|Anchor|Button|Center|CloseButton|Container|Group|Input|InputBase|Loader|Paper|Stack|Text|TextInput|Title|Transition|UnstyledButton)/',
  ].join('|'),
);

/** Preloads the typeface together with the first script. Otherwise it arrives last and the text shifts. */
function preloadTypeface(): Plugin {
  return {
    name: 'preload-typeface',
    transformIndexHtml: (_, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => /inter-latin-wght-normal-[^/]*\.woff2$/.test(name))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: true },
          injectTo: 'head',
        })),
  };
}

export default defineConfig({
  plugins: [react(), preloadTypeface(), refuseCircularChunks()],
  // Resolves contracts to their sources, so that nothing has to be built first.
  resolve: { conditions: ['@outdial/source', 'module', 'browser'] },
  build: {
    // Browsers with `light-dark()`. Its fallback for older ones would ignore the color scheme switch.
    target: ['chrome125', 'edge125', 'firefox126', 'safari17.5'],
    // Fonts and images stay files, because the content security policy forbids inline ones.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      output: {
        // By default Rolldown names a shared chunk after all its pages.
        chunkFileNames: ({ name }) => `assets/${name.split('~', 1).join('')}-[hash].js`,
        // Without groups every shared component becomes its own file: the first page would load a hundred of them,
        // which compress worse and load in a waterfall. Small chunks are not merged: merged, they may import each other.
        codeSplitting: {
          groups: [
            { name: 'base', tags: ['$initial'], priority: 4 },
            { name: 'common', test: COMMON, priority: 3 },
            { name: 'first-page', test: /layout\/app-layout\.tsx$|calls\/calls-page\.tsx$/, priority: 2 },
            { name: 'shared', minShareCount: 2, entriesAware: true, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:3000', ws: true }, '/docs': 'http://127.0.0.1:3000' } },
});
