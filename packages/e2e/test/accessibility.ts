import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The serious and critical accessibility violations, with their elements. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  await paint(page, 'light');
  // The only rule that needs the text of style sheets does not run by default.
  const light = await findings(page, { preload: { assets: ['media'] } });
  await paint(page, 'dark');
  // Color contrast is the only rule that depends on the theme.
  const dark = await findings(page, { runOnly: ['color-contrast'], preload: false });
  return [...light.map((text) => `light: ${text}`), ...dark.map((text) => `dark: ${text}`)];
}

async function paint(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
}

async function findings(page: Page, options: axe.RunOptions): Promise<readonly string[]> {
  await settled(page);
  // Not as a script of the page: its policy allows only its own scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async (options) => {
    const { violations } = await globalThis.axe.run(document, { ...options, resultTypes: ['violations'] });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, target }) => `${id}: ${target.join(' ')} ${html.slice(0, 160)}`));
  }, options);
}

/** A fading element has another contrast half-way. Endless animations are not awaited. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(passing.map(({ finished }) => finished));
  });
}

type Axe = typeof axe;

declare global {
  // oxlint-disable-next-line no-var -- how a property of globalThis is declared
  var axe: Axe;
}
