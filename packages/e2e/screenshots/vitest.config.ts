import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import tests from '../../../vitest.config.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const setup = (path: string) => `${ROOT}packages/testkit/src/${path}`;

/** Run as the tests in a browser are, on the same stage. */
export default defineConfig({
  ...tests,
  root: ROOT,
  test: {
    pool: 'forks',
    include: ['packages/e2e/screenshots/take.ts'],
    globalSetup: [setup('global-setup.ts'), setup('browser/setup.ts')],
    testTimeout: 600_000,
    hookTimeout: 180_000,
  },
});
