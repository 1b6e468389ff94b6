import { chromium, type Browser } from 'playwright-core';
import { requireChromium } from './require-chromium.ts';

/** Starts Chromium without a window. It ends with this process. @param args further arguments for Chromium. */
export function openBrowser(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: requireChromium((text) => process.stderr.write(`${text}\n`)),
    // As root or in a container Chromium cannot create its sandbox; here it shows only our own pages.
    chromiumSandbox: false,
    // Shared memory is small in containers, and a page that exceeds it crashes.
    args: ['--disable-dev-shm-usage', ...args],
    timeout: 120_000,
  });
}
