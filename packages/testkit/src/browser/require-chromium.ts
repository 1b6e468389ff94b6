import { installDebianPackages } from '../debian-packages.ts';
import { findChromium, findHeadlessShell } from './find-chromium.ts';

const ADVICE =
  'The dashboard tests need Chromium or Google Chrome: install one (Debian: apt-get install chromium), or set TEST_BROWSER to its program, and run again.';

/**
 * Returns the path of a browser, and installs one on Debian if there is none. Prefers Debian's headless shell: a page
 * in the full Chromium costs four times as much processor time. @throws Error when there is no browser and none can
 * be installed.
 */
export function requireChromium(say: (text: string) => void): string {
  const program = findHeadlessShell() ?? installHeadlessShell(say) ?? findChromium();
  if (program !== null) return program;
  installDebianPackages({ packages: ['chromium'], advice: ADVICE }, say);
  const installed = findChromium();
  if (installed === null) throw new Error(ADVICE);
  return installed;
}

/** Null when it cannot be installed: Chromium works too. */
function installHeadlessShell(say: (text: string) => void): string | null {
  try {
    installDebianPackages({ packages: ['chromium-headless-shell'], advice: ADVICE }, say);
  } catch (error) {
    say(`The tests use Chromium, because there is no headless shell: ${String(error)}`);
  }
  return findHeadlessShell();
}
