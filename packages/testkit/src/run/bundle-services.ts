import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import type { ProvidedServices } from '../provided-services.ts';

const BUNDLE = fileURLToPath(new URL('../../../../apps/cli/bootstrap/bundle-services.mjs', import.meta.url));
const PROVIDED: ProvidedServices = {
  bundlesDir: fileURLToPath(new URL('../../../../node_modules/.cache/outdial/services', import.meta.url)),
};

/** Each project loads its own copy of this module; the run is one process. */
declare global {
  var outdialServiceBundles: Promise<void> | undefined;
}

/** Runs once per run of tests that start services: builds them, then bundles each into one file. */
export default async function setup(project: TestProject): Promise<void> {
  await (globalThis.outdialServiceBundles ??= bundleServices());
  project.provide('outdialServices', PROVIDED);
}

async function bundleServices(): Promise<void> {
  await promisify(execFile)(process.execPath, [BUNDLE]);
}
