import { randomBytes } from 'node:crypto';
import { createApiKey } from '@outdial/secrets';
import { newToken } from '@outdial/identity';
import { fakeClock } from '@outdial/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../../test/browser.ts';
import { openApi, type TestApi } from '../../test/open-api.ts';
import { ApiError } from './api-error.ts';
import { createUnknownCredentials } from './unknown-credentials.ts';

function world(stored: ReadonlySet<string> = new Set()) {
  const clock = fakeClock();
  const asked: (readonly string[])[] = [];
  let reads = 0;
  const unknown = createUnknownCredentials({
    clock,
    async findStored(digests) {
      asked.push(digests);
      return new Set(digests.filter((digest) => stored.has(digest)));
    },
  });
  const lookUp = (address: string, digest = randomBytes(8).toString('hex')) =>
    unknown.lookUp(address, digest, async () => {
      reads += 1;
      return stored.has(digest) ? digest : null;
    });
  return { clock, asked, lookUp, reads: () => reads };
}

describe('unknown credentials from one address', () => {
  it('cost one read each for the first fifty, even in a burst; then one statement for all', async () => {
    const { clock, asked, lookUp, reads } = world();
    const burst = Promise.all(Array.from({ length: 150 }, () => lookUp('192.0.2.1')));
    await clock.advance(250);
    expect((await burst).every((found) => found === null)).toBe(true);
    expect([reads(), asked.map(({ length }) => length)]).toEqual([50, [100]]);
  });

  it('do not lock out a valid one from there, and do not slow down other addresses', async () => {
    const { clock, lookUp, reads } = world(new Set(['good']));
    const burst = Promise.all(Array.from({ length: 120 }, () => lookUp('192.0.2.1')));
    const good = lookUp('192.0.2.1', 'good');
    expect(await lookUp('192.0.2.2', 'good')).toBe('good');
    await clock.advance(250);
    await burst;
    expect([await good, reads()]).toEqual(['good', 50 + 2]);
  });

  it('are rejected without a look-up beyond the capacity of one statement; the next statement accepts more', async () => {
    const { clock, asked, lookUp } = world(new Set(['good']));
    const burst = Promise.allSettled(Array.from({ length: 300 }, () => lookUp('192.0.2.1')));
    await clock.advance(250);
    const refused = (await burst).filter((each) => each.status === 'rejected');
    expect(refused).toHaveLength(300 - 50 - 200);
    expect(refused[0]?.reason).toBeInstanceOf(ApiError);
    const good = lookUp('192.0.2.1', 'good');
    await clock.advance(250);
    expect([await good, asked.length]).toEqual(['good', 2]);
  });

  it('are forgotten after a minute, and valid ones are never counted', async () => {
    const { clock, asked, lookUp } = world(new Set(['good']));
    for (let count = 0; count < 60; count += 1) await lookUp('192.0.2.1', 'good');
    for (let count = 0; count < 50; count += 1) await lookUp('192.0.2.1');
    await clock.advance(60_000);
    expect([await lookUp('192.0.2.1'), asked]).toEqual([null, []]);
  });
});

describe('an address that sends many unknown credentials', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await openApi();
  });
  afterAll(() => api.close());
  const from = '192.0.2.77';

  it('can still use a valid key', async () => {
    const account = await api.account();
    const headers = { 'X-Forwarded-For': from };
    const wrong = await Promise.all(
      Array.from({ length: 80 }, () => api.request('GET', '/account', { key: createApiKey(), headers })),
    );
    expect(wrong.every(({ status }) => status === 401)).toBe(true);
    expect((await api.request('GET', '/account', { key: account.key, headers })).status).toBe(200);
  });

  it('can still use a valid cookie', async () => {
    const browser = openBrowser(api, from);
    for (let count = 0; count < 60; count += 1) {
      browser.setToken(newToken());
      expect((await browser.request('GET', 'session')).status).toBe(401);
    }
    browser.setToken(null);
    const { headers } = await api.signIn();
    expect((await browser.request('GET', 'session', { headers })).status).toBe(200);
  });
});
