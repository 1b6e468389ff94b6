import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
import { classifyTests } from './packages/testkit/src/run/classify-tests.ts';
import { TestSequencer } from './packages/testkit/src/run/test-sequencer.ts';

// Packages are imported from their sources, so tests need no build. Vitest passes this list to Node too, where
// `import` or `module` would make a dependency's own require() load ES modules.
const resolve = { conditions: ['@outdial/source', 'node'] };
const sources = {
  ssr: { resolve },
  environments: {
    // The environment of vitest's global setup; `ssr` covers the test files only.
    __vitest__: { resolve },
  },
};

/**
 * Safety limits only: tests do not judge how long things take, and a busy machine takes many times as long. An
 * awaited condition fails before its test does, and reports the actual value.
 */
const LIMITS = { testTimeout: 120_000, hookTimeout: 180_000, retry: 0, expect: { poll: { timeout: 60_000 } } };
const NO_SOURCES = ['**/node_modules/**', '**/dist/**'];
/** Against third-party telephones, which are installed if missing. */
const PEER_TESTS = '**/*.peer.test.ts';
/** The dashboard as users see it, in a Chromium, which is installed if missing. */
const BROWSER_TESTS = '**/*.browser.test.ts';
/**
 * What changes rarely break: failover, crashes, rare pages, other telephones. And what takes minutes: endurance, faults,
 * mutants. `npm run verify` runs them.
 */
const VERIFY_TESTS = '**/*.verify.test.ts';
/** From unbundled services, as in production. */
const START_TESTS = 'apps/cli/test/*.verify.test.ts';
const BUILD_TESTS = '**/*-build.verify.test.ts';
/** Faults strike at moments of real time: beside them runs only what yields the processor to them. */
const FAULT_TESTS = 'packages/chaos/src/faults-*.verify.test.ts';
/** Pages and their states that users see less often. */
const BROWSER_VERIFY_TESTS = 'packages/e2e/src/*.verify.test.ts';
/** No moment of real time matters to them, nor does how long they take. */
const YIELDING_TESTS = [
  'packages/agents/src/hearing/*.verify.test.ts',
  'packages/reservations/src/*.model.verify.test.ts',
];
/** Nor to these, which compute for minutes. */
const MODEL_TESTS = ['packages/chaos/src/mutants/*.verify.test.ts'];
const OTHER_PROJECTS = [...NO_SOURCES, PEER_TESTS, BROWSER_TESTS, VERIFY_TESTS];
const STORES = './packages/testkit/src/global-setup.ts';
const SERVICES = './packages/testkit/src/run/build-services.ts';
const BUNDLED_SERVICES = './packages/testkit/src/run/bundle-services.ts';

/**
 * The first as for services: see apps/cli/bootstrap/run-bundle.mjs. With the second, V8's young generation starts at the
 * size (in MB) that it would grow to while the product is loaded, and is collected less often until then.
 */
const execArgv = ['--wasm-tiering-budget=1000000000', '--min-semi-space-size=16'];

/**
 * Groups run one after the other, each with as many files at a time as keep two cores busy; see `TestSequencer` for the
 * order within a group.
 *
 * A Chromium with its services keeps half of a core busy.
 */
const BROWSING = { pool: 'forks', execArgv, maxWorkers: 3, sequence: { groupOrder: 0 } } as const;
/** They wait for other processes, for timers and for telephones more than they compute. */
const MIXED = { maxWorkers: 4, sequence: { groupOrder: 1 } } as const;

/** As `MIXED`; the other two workers are for the tests of the model, which begin first and take what those leave. */
const VERIFYING = { pool: 'forks', execArgv, maxWorkers: 6, sequence: { groupOrder: 3 } } as const;
/** They wait for leases and failovers more than they compute. */
const FAULTING = { pool: 'forks', execArgv, isolate: true, maxWorkers: 4, sequence: { groupOrder: 4 } } as const;
/** Beside the faults, the services behind the pages would be late for their own deadlines. */
const BROWSING_LATER = { ...BROWSING, sequence: { groupOrder: 5 } } as const;
/** They have the processor when nothing else wants it, so their limits are long. */
const YIELDING = { testTimeout: 600_000, setupFiles: './packages/testkit/src/run/yield-processor.ts' } as const;
/** Writes the files that services start from, so nothing else may run beside it. */
const BUILDING = { pool: 'forks', execArgv, isolate: true, maxWorkers: 1, sequence: { groupOrder: 6 } } as const;

/** Worker threads that tests start in their own process also run from their bundle, without a TypeScript loader. */
const STARTS_THREAD = /\/(?:start-(?:media|flite)|running)-thread\.ts$/;
const bundledThreads: Plugin = {
  name: 'bundled-threads',
  // All projects share their compiled modules, but not these, which compile to different code without the plugin.
  api: { vitest: { experimental: { ignoreFsModuleCache: true } } },
  configureVitest({ experimental_defineCacheKeyGenerator: defineKey }) {
    defineKey(({ id }) => (STARTS_THREAD.test(id) ? false : undefined));
  },
  transform(code, id) {
    if (!STARTS_THREAD.test(id)) return null;
    const bundled = new URL('node_modules/.cache/outdial/services/starts-threads.js', import.meta.url).href;
    return { code: code.replaceAll('import.meta.url', JSON.stringify(bundled)), map: null };
  },
};

const { unit, stores, processes, isolated } = classifyTests(fileURLToPath(new URL('.', import.meta.url)));
const isolatedVerify = isolated.filter((path) => path.endsWith('.verify.test.ts'));

export default defineConfig({
  ...sources,
  test: {
    sequence: { sequencer: TestSequencer },
    // Otherwise each project compiles every module again, in each run.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/outdial/modules' },
    projects: [
      {
        ...sources,
        test: {
          ...LIMITS,
          ...BROWSING,
          // Files share their stage, and run one after the other in each of three processes.
          isolate: false,
          // Tests visit many pages.
          testTimeout: 300_000,
          name: 'browser',
          include: [BROWSER_TESTS],
          exclude: NO_SOURCES,
          globalSetup: [STORES, BUNDLED_SERVICES, './packages/testkit/src/browser/setup.ts'],
        },
      },
      {
        ...sources,
        plugins: [bundledThreads],
        test: {
          ...LIMITS,
          ...MIXED,
          name: 'isolated',
          pool: 'forks',
          execArgv,
          isolate: true,
          include: [...isolated],
          exclude: OTHER_PROJECTS,
          globalSetup: [STORES, BUNDLED_SERVICES],
        },
      },
      {
        ...sources,
        plugins: [bundledThreads],
        test: {
          ...LIMITS,
          ...MIXED,
          name: 'telephones',
          pool: 'forks',
          execArgv,
          isolate: true,
          include: [PEER_TESTS],
          exclude: NO_SOURCES,
          globalSetup: [STORES, BUNDLED_SERVICES, './packages/testkit/src/telephones/setup.ts'],
        },
      },
      {
        ...sources,
        test: {
          ...LIMITS,
          ...VERIFYING,
          name: 'verify',
          isolate: true,
          include: [START_TESTS, ...isolatedVerify],
          exclude: [...NO_SOURCES, BUILD_TESTS],
          globalSetup: [STORES, SERVICES],
        },
      },
      {
        ...sources,
        plugins: [bundledThreads],
        test: {
          ...LIMITS,
          ...VERIFYING,
          name: 'verify-services',
          isolate: false,
          include: [VERIFY_TESTS],
          exclude: [
            ...NO_SOURCES,
            START_TESTS,
            BUILD_TESTS,
            FAULT_TESTS,
            BROWSER_VERIFY_TESTS,
            ...YIELDING_TESTS,
            ...MODEL_TESTS,
            ...isolatedVerify,
          ],
          globalSetup: [STORES, BUNDLED_SERVICES, './packages/testkit/src/telephones/setup.ts'],
        },
      },
      {
        ...sources,
        test: {
          ...LIMITS,
          ...VERIFYING,
          ...YIELDING,
          name: 'verify-model',
          isolate: true,
          include: MODEL_TESTS,
          exclude: NO_SOURCES,
          globalSetup: [STORES, SERVICES],
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
          globalSetup: [STORES, BUNDLED_SERVICES],
        },
      },
      {
        ...sources,
        test: {
          ...LIMITS,
          ...FAULTING,
          ...YIELDING,
          name: 'verify-yielding',
          include: YIELDING_TESTS,
          exclude: NO_SOURCES,
          globalSetup: [STORES, SERVICES, './packages/testkit/src/telephones/setup.ts'],
        },
      },
      {
        ...sources,
        test: {
          ...LIMITS,
          ...BROWSING_LATER,
          isolate: false,
          testTimeout: 300_000,
          name: 'verify-browser',
          include: [BROWSER_VERIFY_TESTS],
          exclude: NO_SOURCES,
          globalSetup: [STORES, BUNDLED_SERVICES, './packages/testkit/src/browser/setup.ts'],
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
        plugins: [bundledThreads],
        test: {
          ...LIMITS,
          ...MIXED,
          // One project, since processes are shared only within a project: waiting and computing files run side by
          // side.
          name: 'services',
          pool: 'forks',
          execArgv,
          isolate: false,
          include: [...stores, ...processes],
          exclude: OTHER_PROJECTS,
          globalSetup: [STORES, BUNDLED_SERVICES],
        },
      },
      {
        ...sources,
        test: {
          ...LIMITS,
          ...MIXED,
          name: 'unit',
          pool: 'threads',
          isolate: false,
          include: [...unit],
          exclude: OTHER_PROJECTS,
        },
      },
    ],
  },
});
