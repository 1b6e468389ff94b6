import type { Browser, BrowserContext, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { invariant } from '@outdial/kernel';
import type { Person } from './seeds.ts';
import { watchPage, type PageWatch } from './watched-page.ts';

/** A safety limit only: a busy machine takes many times as long as an idle one. */
const PATIENCE_MS = 90_000;

/** Without motion: a test waits for fading elements, and drawing them costs time. */
const DEFAULTS = { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' } as const;

/** A browser context with a page of the dashboard, which closes when the test ends. */
export interface Visit extends PageWatch {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Opens a path of the dashboard. */
  readonly goto: (path: string) => Promise<void>;
  /** Signs in without a page: the next page belongs to the user. */
  readonly beginSession: (person: Person) => Promise<void>;
  /** Signs in with the form at `path`, which may say where to go next. */
  readonly signIn: (person: Person, path?: string) => Promise<void>;
}

export interface VisitOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly deviceScaleFactor?: number;
}

export async function openVisit(browser: Browser, url: string, options: VisitOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ baseURL: url, ...DEFAULTS, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  context.setDefaultNavigationTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const watch = await watchPage(page, new URL(url).origin);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') process.stderr.write(await seenOn(page));
    await context.close();
  });
  return {
    ...watch,
    context,
    page,
    async goto(path) {
      await page.goto(path);
    },
    async beginSession({ email, password }) {
      for (;;) {
        const answer = await context.request.post('/api/dashboard/session', {
          headers: { 'Sec-Fetch-Site': 'same-origin' },
          data: { email, password },
        });
        // No store answered a busy machine in time.
        if (answer.status() === 503) continue;
        invariant(answer.ok(), `the sign-in succeeds, and not ${answer.status()}`);
        return;
      }
    },
    async signIn({ email, password }, path = '/sign-in') {
      await page.goto(path);
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL((at) => at.pathname !== '/sign-in');
      // The heading of the page after the form. The form has one too, and stays until that page has loaded.
      await page.locator('#main h1').waitFor();
    },
  };
}

/** The text of the page, for the report of a failed test. */
async function seenOn(page: Page): Promise<string> {
  const text = await page.locator('body').innerText({ timeout: 5_000 }).catch(String);
  return `${page.url()} shows:\n${text.slice(0, 2_000)}\n`;
}
