import type { Locator, Page } from 'playwright-core';

/** Opens the form and fills in what each call needs. `toNumber` as the user types it: test numbers without spaces. */
export async function openPlacement(page: Page, toNumber: string, variables: Readonly<Record<string, string>> = {}) {
  await page.getByRole('link', { name: 'Place a call' }).first().click();
  await page.getByRole('combobox', { name: 'Number to call' }).fill(toNumber);
  for (const [name, text] of Object.entries(variables)) await page.getByLabel(name, { exact: true }).fill(text);
}

export async function placeCall(page: Page, toNumber: string, variables: Readonly<Record<string, string>> = {}) {
  await openPlacement(page, toNumber, variables);
  await pressPlaceCall(page);
  await page.waitForURL(/\/calls\/[0-9a-f-]{36}$/);
}

/** Returns once the API has decided. A busy machine may answer 503: the page says so, and the user presses again. */
export async function pressPlaceCall(page: Page): Promise<void> {
  for (;;) {
    const answer = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/calls'),
    );
    await page.getByRole('button', { name: 'Place call' }).click();
    if ((await answer).status() !== 503) return;
  }
}

/** The state of a call as its page announces it. */
export function standing(page: Page, words: string): Locator {
  return page.getByRole('main').locator('span[aria-live=polite]', { hasText: `${words}. ` });
}

/** Returns the position of whatever plays in the page from now on. Call it before the page is opened. */
export async function watchSound(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    // oxlint-disable-next-line typescript/unbound-method -- called with its element below
    HTMLMediaElement.prototype.play = new Proxy(HTMLMediaElement.prototype.play, {
      apply(play, element: HTMLMediaElement) {
        Reflect.set(globalThis, 'lastPlayed', element);
        return Reflect.apply(play, element, []);
      },
    });
  });
  return () =>
    page.evaluate(() => {
      const element: unknown = Reflect.get(globalThis, 'lastPlayed');
      return element instanceof HTMLMediaElement ? element.currentTime : -1;
    });
}
