import { setTimeout as sleep } from 'node:timers/promises';
import { openBrowser } from '@outdial/testkit/browser';
import { z } from 'zod';
import { median, type Figure } from '../../report.ts';
import { LONG_FRAME_MS, watchFrames, type Page } from '../frames.ts';
import { beginSteadyLoad } from '../load.ts';
import type { DashboardStage } from '../stage.ts';

type Browser = Awaited<ReturnType<typeof openBrowser>>;

const LOADS = 5;
const CHANGES_PER_SECOND = 50;
const SETTLE_MS = 10_000;

/** The calls page in a browser: time until it is usable, delayed frames under changes, and its size. */
export async function measurePage(
  stage: DashboardStage,
  seconds: number,
  say: (text: string) => void,
): Promise<Figure[]> {
  const browser = await openBrowser();
  try {
    const page = await signedIn(browser, stage);
    const usableMs: number[] = [];
    for (let load = 0; load < LOADS; load += 1) usableMs.push(await loadAfresh(page, stage));
    say(`the calls page was usable after ${usableMs.map(Math.round).join(', ')} ms`);
    const quiet = await watchFrames(page, seconds);
    const load = beginSteadyLoad(stage, CHANGES_PER_SECOND);
    await sleep(SETTLE_MS);
    const busy = await watchFrames(page, seconds);
    await load.stop();
    const firstLoad = await firstLoadBytes(stage);
    const name = '10,000 calls in the account';
    return [
      {
        name: `the calls page usable, ${name}`,
        value: median(usableMs),
        unit: 'ms',
        goal: { atMost: 1_500 },
        absolute: { 'least ms': Math.min(...usableMs), 'most ms': Math.max(...usableMs) },
      },
      {
        name: `frames longer than ${LONG_FRAME_MS} ms, ${CHANGES_PER_SECOND} changes per second, ${name}`,
        value: busy.longMs.length,
        unit: '',
        goal: { atMost: 0 },
        absolute: {
          seconds,
          'longest ms': Math.max(0, ...busy.longMs),
          'without changes': quiet.longMs.length,
          'frames dropped': busy.dropped,
          'dropped without changes': quiet.dropped,
          'frames drawn': busy.drawn,
          'script ms/s': busy.scriptMsPerSecond,
          'main thread ms/s': busy.taskMsPerSecond,
        },
      },
      {
        name: 'first load, gzipped',
        value: firstLoad / 1_024,
        unit: 'KB',
        goal: { atMost: 250 },
        absolute: {},
      },
    ];
  } finally {
    await browser.close();
  }
}

async function signedIn(browser: Browser, { url, person }: DashboardStage): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1_280, height: 900 } });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((at) => at.pathname !== '/sign-in');
  return page;
}

/** As on a first visit, with an empty cache. @returns when the first rows are shown. */
async function loadAfresh(page: Page, { account }: DashboardStage): Promise<number> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Network.clearBrowserCache');
  await protocol.detach();
  await page.goto(`/accounts/${account.accountId}/calls`, { waitUntil: 'commit' });
  const rows = page.getByRole('table', { name: 'Calls' }).getByRole('row');
  await rows.nth(5).waitFor();
  return z.number().parse(await page.evaluate('performance.now()'));
}

/** The page and the files that it references: scripts, their static imports, styles, and its typeface. */
async function firstLoadBytes({ url }: DashboardStage): Promise<number> {
  const page = await fetch(url);
  const html = await page.text();
  const paths = [...html.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|woff2))"/g)].map(([, path]) => path ?? '');
  const sizes = await Promise.all(['/', ...new Set(paths)].map((path) => gzippedSize(url, path)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function gzippedSize(url: string, path: string): Promise<number> {
  const response = await fetch(`${url}${path}`, { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
  return Number(response.headers.get('content-length'));
}
