import type { Browser, BrowserContext, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { invariant } from '@outdial/kernel';
import type { Person } from './seeds.ts';
import { watchPage, type PageWatch } from './watched-page.ts';

/** Against hanging alone: a busy machine takes many times as long as an idle one. */
const PATIENCE_MS = 90_000;

/** Without motion: a test waits for what fades in, and drawing it costs time. */
const DEFAULTS = { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' } as const;

/** A browser of its own, with a page of the dashboard, until the test that opened it has ended. */
export interface Visit extends PageWatch {
  readonly context: BrowserContext;
  readonly page: Page;
  /** A path of the dashboard. */
  readonly goto: (path: string) => Promise<void>;
  /** Signs in without a page: the page that is opened next is the user's. */
  readonly beginSession: (person: Person) => Promise<void>;
  /** By the form at `path`, which may say where to go on. */
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
      const answer = await context.request.post('/api/dashboard/session', {
        headers: { 'Sec-Fetch-Site': 'same-origin' },
        data: { email, password },
      });
      invariant(answer.ok(), `the sign-in succeeds, and not ${answer.status()}`);
    },
    async signIn({ email, password }, path = '/sign-in') {
      await page.goto(path);
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL((at) => at.pathname !== '/sign-in');
      // The heading of the page behind the form. The form has one too, and stays until that page is loaded.
      await page.locator('#main h1').waitFor();
    },
  };
}

/** What somebody would see who looked at the page of a test that failed. */
async function seenOn(page: Page): Promise<string> {
  const text = await page.locator('body').innerText({ timeout: 5_000 }).catch(String);
  return `${page.url()} shows:\n${text.slice(0, 2_000)}\n`;
}
