import type { Page } from 'playwright-core';
import { accessibilityFaults } from './accessibility.ts';
import type { Visit } from './visit.ts';

/** A page in one of its states. */
export interface PageState {
  readonly path: string;
  /** Shown once the page is in that state. */
  readonly words: string;
  /** Shown then, too. */
  readonly alsoWords?: readonly string[];
  /** Actions that bring the page into the state. */
  readonly act?: (page: Page) => Promise<void>;
}

/**
 * The accessibility violations in any of these states, and other faults of the pages. A page without an action is
 * reached as by a link: loading everything again takes as much processor time as the rules.
 */
export async function faultsInStates(
  { page, faults }: Visit,
  states: readonly PageState[],
): Promise<readonly string[]> {
  const found: string[] = [];
  // What an action has opened would stay open.
  let isUntouched = false;
  for (const { path, words, alsoWords = [], act } of states) {
    await (isUntouched && act === undefined && (await canFollow(page, path, words))
      ? follow(page, path)
      : page.goto(path));
    isUntouched = act === undefined;
    if (act !== undefined) {
      // The page has rendered completely, and handles keys.
      await page.getByRole('heading', { level: 1 }).waitFor();
      await act(page);
    }
    for (const text of [words, ...alsoWords]) await page.getByText(text).first().waitFor();
    found.push(...(await accessibilityFaults(page)).map((text) => `${path} (${words}): ${text}`));
  }
  return [...found, ...faults];
}

/** Whether the words show that the other page is there. */
async function canFollow(page: Page, path: string, words: string): Promise<boolean> {
  const to = new URL(path, page.url());
  return to.pathname !== new URL(page.url()).pathname && !(await page.getByText(words).first().isVisible());
}

/** Leads the router of an open page to another path, as a link does. */
export function follow(page: Page, path: string): Promise<void> {
  return page.evaluate((to) => history.pushState({}, '', to), path);
}

export function press(name: string | RegExp): (page: Page) => Promise<void> {
  return (page) => page.getByRole('button', { name, exact: true }).first().click();
}
