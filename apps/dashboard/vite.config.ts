import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** What nearly every page has on it, the sign-in too. */
const COMMON = new RegExp(
  [
    'src/app/layout/(brand|colour-scheme-switch)',
    'src/shared/(api|forms|format|session)/',
    'src/shared/components/(error-notice|links)',
    '@tanstack/(react-query|query-core)/',
    '@mantine/core/esm/core/',
    '@mantine/core/esm/components/(ActionIcon|Alert|Anchor|Button|Center|CloseButton|Container|Group|Input|InputBase|Loader|Paper|Stack|Text|TextInput|Title|Transition|UnstyledButton)/',
  ].join('|'),
);

/** The page's typeface is asked for with its first script. It would be found after all of them, and the text would jump. */
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
  plugins: [react(), preloadTypeface()],
  // Contracts are read from their sources: nothing has to be built before the dashboard.
  resolve: { conditions: ['@outdial/source', 'module', 'browser'] },
  build: {
    // Browsers that know `light-dark()`: rewritten for older ones it would not follow the switch of the colour scheme.
    target: ['chrome125', 'edge125', 'firefox126', 'safari17.5'],
    // Fonts and images stay files: the policy of the page allows no others.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      output: {
        // Rolldown names what pages share by all of them.
        chunkFileNames: ({ name }) => `assets/${name.split('~', 1).join('')}-[hash].js`,
        // Otherwise every component that two pages share is a file of its own: a hundred of them for the first page, which
        // compress worse than one and are asked for one after the other.
        codeSplitting: {
          groups: [
            { name: 'base', tags: ['$initial'], priority: 4 },
            { name: 'common', test: COMMON, priority: 3 },
            { name: 'first-page', test: /layout\/app-layout\.tsx$|calls\/calls-page\.tsx$/, priority: 2 },
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 8_000, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000', '/docs': 'http://127.0.0.1:3000' } },
});
