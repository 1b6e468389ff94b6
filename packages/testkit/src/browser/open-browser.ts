import { chromium, type Browser } from 'playwright-core';
import { requireChromium } from './require-chromium.ts';

/**
 * A Chromium without a window. It ends with this process.
 * @param args of Chromium, beside those that any run needs.
 */
export function openBrowser(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: requireChromium((text) => process.stderr.write(`${text}\n`)),
    // Root's, or in a container, Chromium cannot shut itself in; it shows nothing here but pages of ours.
    chromiumSandbox: false,
    // Shared memory is small in containers, and a page that outgrows it crashes.
    args: ['--disable-dev-shm-usage', ...args],
    timeout: 120_000,
  });
}
