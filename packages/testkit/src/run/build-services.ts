import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The same build as `npm start`. */
const BUILD = fileURLToPath(new URL('../../../../apps/cli/bootstrap/build.mjs', import.meta.url));

/** Each project loads its own copy of this module; the run is one process. */
declare global {
  var outdialServicesBuild: Promise<void> | undefined;
}

/** Runs once per run of tests that start services: compiles changed sources into each package's dist/. */
export default function setup(): Promise<void> {
  return (globalThis.outdialServicesBuild ??= buildServices());
}

async function buildServices(): Promise<void> {
  await promisify(execFile)(process.execPath, [BUILD]);
}
