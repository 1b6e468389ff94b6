import type { Page } from 'playwright-core';

/** What no page may do, whatever it shows. */
export interface PageWatch {
  /** Errors and warnings of its scripts, what its policy forbade, requests to another host. */
  readonly faults: readonly string[];
  /** A refusal that the test asks for: the browser tells of each in the console. */
  readonly expectStatus: (status: number) => void;
  /** The service goes away: the browser tells of every request that did not reach it. */
  readonly expectOutage: () => void;
}

/** Chromium's words for an answer of 400 and above. */
const REFUSED = /^Failed to load resource: the server responded with a status of (\d{3})/;
const OWN_SCHEMES = new Set(['data:', 'blob:', 'about:']);

export async function watchPage(page: Page, origin: string): Promise<PageWatch> {
  const faults: string[] = [];
  // Whoever is not signed in is told so by the first answer.
  const expected = new Set([401]);
  let isOutageExpected = false;
  page.on('console', (message) => {
    const text = message.text();
    const status = REFUSED.exec(text)?.[1];
    if (status !== undefined && expected.has(Number(status))) return;
    if (isOutageExpected && text.includes('net::ERR_')) return;
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${text}`);
  });
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && !OWN_SCHEMES.has(url.protocol)) faults.push(`request: ${url.href}`);
  });
  await page.exposeFunction('tellViolation', (text: string) => void faults.push(`policy: ${text}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      const tell: unknown = Reflect.get(globalThis, 'tellViolation');
      if (typeof tell === 'function') tell(`${violatedDirective} ${blockedURI}`);
    });
  });
  return {
    faults,
    expectStatus: (status) => void expected.add(status),
    expectOutage: () => void (isOutageExpected = true),
  };
}
