import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** Where the pictures are written. */
export const FOLDER = fileURLToPath(new URL('../dist/screenshots/', import.meta.url));

const WIDE = { width: 1_440, height: 780 };
const PHONE = { width: 390, height: 844 };

/** How each page is pictured: the options of a visit, and the end of the picture's name. */
export const LOOKS = [
  { name: 'light', colorScheme: 'light', viewport: WIDE },
  { name: 'dark', colorScheme: 'dark', viewport: WIDE },
  { name: 'phone', colorScheme: 'light', viewport: PHONE, deviceScaleFactor: 2 },
] as const;

/** Moves the mouse away, and waits until its tooltip is gone. */
export async function takeOff(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.getByRole('tooltip').waitFor({ state: 'hidden' });
  await page.evaluate(() => window.scrollTo(0, 0));
}
