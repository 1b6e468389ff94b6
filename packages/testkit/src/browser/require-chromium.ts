import { installDebianPackages } from '../debian-packages.ts';
import { findChromium, findHeadlessShell } from './find-chromium.ts';

const ADVICE =
  'The tests of the dashboard need Chromium or Google Chrome: install one (Debian: apt-get install chromium), or set TEST_BROWSER to its program, and run again.';

/**
 * Returns the program of a browser, and installs one on Debian where there is none. Debian's headless shell comes first:
 * a page in the whole Chromium costs four times as much processor time.
 * @throws Error where there is no browser and none can be installed.
 */
export function requireChromium(say: (text: string) => void): string {
  const program = findHeadlessShell() ?? installHeadlessShell(say) ?? findChromium();
  if (program !== null) return program;
  installDebianPackages({ packages: ['chromium'], advice: ADVICE }, say);
  const installed = findChromium();
  if (installed === null) throw new Error(ADVICE);
  return installed;
}

/** Returns null where it cannot be installed: Chromium does too. */
function installHeadlessShell(say: (text: string) => void): string | null {
  try {
    installDebianPackages({ packages: ['chromium-headless-shell'], advice: ADVICE }, say);
  } catch (error) {
    say(`There is no headless shell, so the tests use Chromium: ${String(error)}`);
  }
  return findHeadlessShell();
}
