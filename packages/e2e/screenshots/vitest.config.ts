import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const setup = (path: string) => `${ROOT}packages/testkit/src/${path}`;
/** As in the root's configuration: packages are imported from their sources. */
const resolve = { conditions: ['@outdial/source', 'node'] };

/** Runs like the browser tests, on the same stage. */
export default defineConfig({
  root: ROOT,
  ssr: { resolve },
  environments: { __vitest__: { resolve } },
  test: {
    pool: 'forks',
    include: ['packages/e2e/screenshots/take*.ts'],
    globalSetup: [setup('global-setup.ts'), setup('run/build-services.ts'), setup('browser/setup.ts')],
    testTimeout: 600_000,
    hookTimeout: 180_000,
  },
});
