import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { requireChromium } from './require-chromium.ts';

const BUILD = fileURLToPath(new URL('../../../../apps/dashboard/build.mjs', import.meta.url));

/** Once per run of the tests in a browser: there is one, and the dashboard is built from what the sources are now. */
export default function setup(): void {
  const program = requireChromium((text) => process.stdout.write(`${text}\n`));
  process.stdout.write(`Browser: ${program}.\n`);
  const { status } = spawnSync(process.execPath, [BUILD], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The dashboard could not be built: see above.');
}
