import { fileURLToPath, pathToFileURL } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
import { classifyTests } from './packages/testkit/src/run/classify-tests.ts';

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
/** What takes minutes: endurance, faults, mutants, millions of rows, pictures. `npm run verify` runs them. */
const VERIFY_TESTS = '**/*.verify.test.ts';
const BUILD_TESTS = '**/*-build.verify.test.ts';
/** Faults strike at moments of real time: nothing else runs beside them. */
const FAULT_TESTS = '**/faults*.verify.test.ts';
const PICTURES = 'packages/e2e/screenshots/take.ts';
const OTHER_PROJECTS = [...NO_SOURCES, PEER_TESTS, BROWSER_TESTS, VERIFY_TESTS];
const STORES = './packages/testkit/src/global-setup.ts';
const SERVICES = './packages/testkit/src/run/build-services.ts';

/**
 * Groups run one after the other, each with as many files at a time as its tests leave the machine idle.
 *
 * The tests of the first one wait for other processes more than they compute.
 */
const WAITING = { pool: 'forks', isolate: true, maxWorkers: 4, sequence: { groupOrder: 0 } } as const;
/** A Chromium keeps a core busy, and telephones of others are not as patient as ours. */
const BUSY = { pool: 'forks', isolate: true, maxWorkers: 2, sequence: { groupOrder: 1 } } as const;
/** Files share a process or thread, which loads what they import once. Some of them wait: one more than there are cores. */
const SHARING = { isolate: false, maxWorkers: 3, sequence: { groupOrder: 2 } } as const;

const VERIFYING = { pool: 'forks', isolate: true, maxWorkers: 3, sequence: { groupOrder: 3 } } as const;
const FAULTING = { pool: 'forks', isolate: true, maxWorkers: 1, sequence: { groupOrder: 4 } } as const;
/** Writes the files that services are started from: nothing else may run meanwhile. */
const BUILDING = { pool: 'forks', isolate: true, maxWorkers: 1, sequence: { groupOrder: 5 } } as const;

/** Threads of workers that tests start in their own process begin in what was built too: without a TypeScript loader. */
const builtThreads: Plugin = {
  name: 'built-threads',
  transform(code, id) {
    if (!/\/start-(?:media|flite)-thread\.ts$/.test(id)) return null;
    const built = pathToFileURL(id.replace('/src/', '/dist/').replace(/\.ts$/, '.js')).href;
    return { code: code.replaceAll('import.meta.url', JSON.stringify(built)), map: null };
  },
};

const { unit, stores, processes } = classifyTests(fileURLToPath(new URL('.', import.meta.url)));

export default defineConfig({
  ...sources,
  test: {
    projects: [
      {
        ...sources,
        test: {
          ...LIMITS,
          ...BUSY,
          // Files share what they test, one after the other in each of two processes.
          isolate: false,
          // Tests go through many pages.
          testTimeout: 300_000,
          name: 'browser',
          include: [BROWSER_TESTS],
          exclude: NO_SOURCES,
          globalSetup: [STORES, SERVICES, './packages/testkit/src/browser/setup.ts'],
        },
      },
      {
        ...sources,
        plugins: [builtThreads],
        test: {
          ...LIMITS,
          ...WAITING,
          name: 'processes',
          include: [...processes],
          exclude: OTHER_PROJECTS,
          globalSetup: [STORES, SERVICES],
        },
      },
      {
        ...sources,
        plugins: [builtThreads],
        test: {
          ...LIMITS,
          ...BUSY,
          name: 'telephones',
          include: [PEER_TESTS],
          exclude: NO_SOURCES,
          globalSetup: [STORES, SERVICES, './packages/testkit/src/telephones/setup.ts'],
        },
      },
      {
        ...sources,
        test: {
          ...LIMITS,
          ...VERIFYING,
          name: 'verify',
          include: [VERIFY_TESTS, PICTURES],
          exclude: [...NO_SOURCES, BUILD_TESTS, FAULT_TESTS],
          globalSetup: [STORES, SERVICES, './packages/testkit/src/browser/setup.ts'],
        },
      },
      {
        ...sources,
        test: {
          ...LIMITS,
          ...FAULTING,
          name: 'verify-faults',
          include: [FAULT_TESTS],
          exclude: NO_SOURCES,
          globalSetup: STORES,
        },
      },
      {
        ...sources,
        test: {
          ...LIMITS,
          ...BUILDING,
          name: 'verify-build',
          include: [BUILD_TESTS],
          exclude: NO_SOURCES,
          globalSetup: STORES,
        },
      },
      {
        ...sources,
        plugins: [builtThreads],
        test: {
          ...LIMITS,
          ...SHARING,
          name: 'stores',
          pool: 'forks',
          include: [...stores],
          exclude: OTHER_PROJECTS,
          globalSetup: [STORES, SERVICES],
        },
      },
      {
        ...sources,
        test: { ...LIMITS, ...SHARING, name: 'unit', pool: 'threads', include: [...unit], exclude: OTHER_PROJECTS },
      },
    ],
  },
});
