import type { Page } from 'playwright-core';

/**
 * Detects what no page may do. An answer 503 to a read, or to a new call, is none of it: a store is late. The page repeats
 * the read, and a test that needs the answer waits for it. `pressPlaceCall` presses again.
 */
export interface PageWatch {
  /** Errors and warnings of its scripts, violations of its policy, requests to other hosts. */
  readonly faults: readonly string[];
  /** Announces an error status that the test provokes: the browser logs each in the console. */
  readonly expectStatus: (status: number) => void;
  /** Announces an outage of the service: the browser logs every failed request. */
  readonly expectOutage: () => void;
}

/** Chromium's message for a status of 400 and above. */
const REFUSED = /^Failed to load resource: the server responded with a status of (\d{3})/;
const OWN_SCHEMES = new Set(['data:', 'blob:', 'about:']);

export async function watchPage(page: Page, origin: string): Promise<PageWatch> {
  const faults: string[] = [];
  // The first answer to a user who is not signed in is a 401.
  const expected = new Set([401]);
  const lastMethods = new Map<string, string>();
  let isOutageExpected = false;
  const isRepeated = (url: string) => lastMethods.get(url) === 'GET' || url.endsWith('/calls');
  page.on('console', (message) => {
    const text = message.text();
    const status = Number(REFUSED.exec(text)?.[1]);
    if (expected.has(status)) return;
    if (status === 503 && isRepeated(message.location().url)) return;
    if (isOutageExpected && text.includes('net::ERR_')) return;
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${text}`);
  });
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('request', (request) => {
    lastMethods.set(request.url(), request.method());
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
