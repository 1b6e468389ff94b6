import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { requireChromium } from './require-chromium.ts';

const BUILD = fileURLToPath(new URL('../../../../apps/dashboard/build.mjs', import.meta.url));

/** Runs once per run of browser tests: finds a browser and builds the dashboard from the current sources. */
export default function setup(): void {
  const program = requireChromium((text) => process.stdout.write(`${text}\n`));
  process.stdout.write(`Browser: ${program}.\n`);
  const { status } = spawnSync(process.execPath, [BUILD], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The dashboard could not be built: see above.');
}
