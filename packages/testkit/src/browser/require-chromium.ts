import { installDebianPackages } from '../debian-packages.ts';
import { findChromium } from './find-chromium.ts';

const ADVICE =
  'The tests of the dashboard need Chromium or Google Chrome: install one (Debian: apt-get install chromium), or set TEST_BROWSER to its program, and run again.';

/** Sees to it that there is a browser, and gives its program. On Debian it is installed; elsewhere it throws. */
export function requireChromium(say: (text: string) => void): string {
  const found = findChromium();
  if (found !== null) return found;
  installDebianPackages({ packages: ['chromium'], advice: ADVICE }, say);
  const installed = findChromium();
  if (installed === null) throw new Error(ADVICE);
  return installed;
}
