import { defineConfig } from 'vitest/config';

// Packages are imported from their sources: tests need no build. Vitest hands the list to Node too, where `import` or
// `module` in it would turn a dependency's own require() to its ES modules.
const resolve = { conditions: ['@outdial/source', 'node'] };
const sources = {
  ssr: { resolve },
  environments: {
    // Where vitest runs the global setup; `ssr` is for the test files alone.
    __vitest__: { resolve },
  },
};

/**
 * Against hanging alone: how long things take is no test's business, and a busy machine takes many times as long. A wait
 * for something to come true gives up before its test does, and says what there was instead.
 */
const LIMITS = { testTimeout: 120_000, hookTimeout: 180_000, retry: 0, expect: { poll: { timeout: 60_000 } } };
const NO_SOURCES = ['**/node_modules/**', '**/dist/**'];
/** Against other people's telephones, which are installed where they are missing. */
const PEER_TESTS = '**/*.peer.test.ts';
/** Of the dashboard as it is used: in a Chromium, which is installed where there is none. */
const BROWSER_TESTS = '**/*.browser.test.ts';

export default defineConfig({
  ...sources,
  test: {
    // Once per run, for all projects.
    globalSetup: './packages/testkit/src/global-setup.ts',
    // A process per file: a file that hangs or crashes takes no other with it.
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        ...sources,
        test: {
          ...LIMITS,
          name: 'product',
          pool: 'forks',
          include: ['packages/**/src/**/*.test.ts', 'apps/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: [...NO_SOURCES, PEER_TESTS, BROWSER_TESTS],
        },
      },
      {
        ...sources,
        test: {
          ...LIMITS,
          name: 'telephones',
          pool: 'forks',
          include: [PEER_TESTS],
          exclude: NO_SOURCES,
          globalSetup: './packages/testkit/src/telephones/setup.ts',
        },
      },
      {
        ...sources,
        test: {
          ...LIMITS,
          // A test goes through many pages.
          testTimeout: 300_000,
          name: 'browser',
          pool: 'forks',
          include: [BROWSER_TESTS],
          exclude: NO_SOURCES,
          globalSetup: './packages/testkit/src/browser/setup.ts',
        },
      },
    ],
  },
});
