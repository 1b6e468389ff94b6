import type { Page } from 'playwright-core';
import { accessibilityFaults } from './accessibility.ts';
import type { Visit } from './visit.ts';

/** A page in one of its states. */
export interface PageState {
  readonly path: string;
  /** Shown once the page is in that state. */
  readonly words: string;
  /** Actions that bring the page into the state. */
  readonly act?: (page: Page) => Promise<void>;
}

/** The accessibility violations in any of these states, and other faults of the pages. */
export async function faultsInStates(
  { page, faults }: Visit,
  states: readonly PageState[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { path, words, act } of states) {
    await page.goto(path);
    if (act !== undefined) {
      // The page has rendered completely, and handles keys.
      await page.getByRole('heading', { level: 1 }).waitFor();
      await act(page);
    }
    await page.getByText(words).first().waitFor();
    found.push(...(await accessibilityFaults(page)).map((text) => `${path} (${words}): ${text}`));
  }
  return [...found, ...faults];
}

export function press(name: string | RegExp): (page: Page) => Promise<void> {
  return (page) => page.getByRole('button', { name, exact: true }).first().click();
}
