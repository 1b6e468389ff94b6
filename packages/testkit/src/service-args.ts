import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import type { ProvidedServices } from './provided-services.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** In every tree. */
const BUNDLES_FOLDER = 'node_modules/.cache/outdial/services';

/** The names of their bundles: see apps/cli/bootstrap/bundle-services.mjs. */
const BUNDLES: Readonly<Record<string, string>> = {
  'apps/api/src/main.ts': 'api.js',
  'apps/worker/src/main.ts': 'worker.js',
  'apps/callee/src/main.ts': 'callee.js',
  'apps/worker/src/model-thread/model-thread.ts': 'model-thread.js',
  'apps/worker/test/quick-worker.mjs': 'quick-worker.js',
};

/**
 * Node's arguments that start a service: from its bundle if the run has bundled the services, otherwise as production
 * does, from its compiled JavaScript.
 *
 * @param source of its program, from the repository's root: `apps/api/src/main.ts`.
 * @param otherRoot of a tree of another version, with its own bundles if the run has bundled the services.
 */
export function serviceArgs(source: string, otherRoot?: string): readonly string[] {
  const bundlesDir = bundlesDirOfRun();
  const bundle = BUNDLES[source];
  if (bundlesDir !== undefined && bundle !== undefined)
    return [join(otherRoot === undefined ? bundlesDir : join(otherRoot, BUNDLES_FOLDER), bundle)];
  const built = source.replace('/src/', '/dist/').replace(/\.ts$/, '.js');
  return [join(otherRoot ?? ROOT, built)];
}

/** Undefined without bundles, as in the tests of `npm start`, and outside of vitest, as in `npm run chaos`. */
function bundlesDirOfRun(): string | undefined {
  try {
    const provided: ProvidedServices | undefined = inject('outdialServices');
    return provided?.bundlesDir;
  } catch {
    return undefined;
  }
}
