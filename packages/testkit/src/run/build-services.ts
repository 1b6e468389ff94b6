import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** As `npm start` does it. */
const BUILD = fileURLToPath(new URL('../../../../apps/cli/bootstrap/build.mjs', import.meta.url));

/** Each project loads this module for itself; the run is one process. */
declare global {
  var outdialServicesBuild: Promise<void> | undefined;
}

/** Once per run of tests that start services: compiles what has changed into each package's dist/. */
export default function setup(): Promise<void> {
  return (globalThis.outdialServicesBuild ??= buildServices());
}

async function buildServices(): Promise<void> {
  await promisify(execFile)(process.execPath, [BUILD]);
}
