import { randomUUID } from 'node:crypto';
import type { KeyRecord } from '@outdial/calls';
import { accountIdSchema, apiKeyIdSchema } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../test/open-api.ts';
import { createRateLimit, type RateLimit } from './rate-limit.ts';

let api: TestApi;

beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api.close());

it('429 rate_limited with Retry-After above the limit of the key, counted across all processes; the next window accepts requests again', async () => {
  const another = await api.startAnother();
  const limited = await api.account({ requestsPerSecond: 5 });
  const neighbor = await api.account({ requestsPerSecond: 5 });
  const sentMs = performance.now();
  const burst = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      (index % 2 ? api : another).request('GET', '/account', { key: limited.key }),
    ),
  );
  const mostWindows = windowsSince(sentMs);
  const allowed = burst.filter((answer) => answer.status === 200);
  const refused = burst.filter((answer) => answer.status === 429);
  expect(allowed.length).toBeGreaterThanOrEqual(1);
  // A process that Redis does not answer in time counts on its own.
  expect(allowed.length).toBeLessThanOrEqual(2 * 5 * mostWindows);
  expect(allowed.length + refused.length).toBe(40);
  for (const answer of refused) {
    expect(answer.error().code).toBe('rate_limited');
    expect(answer.headers.get('retry-after')).toBe('1');
  }
  expect((await api.request('GET', '/account', { key: neighbor.key })).status).toBe(200);
  await expect.poll(async () => (await api.request('GET', '/account', { key: limited.key })).status).toBe(200);
});

/**
 * At most this many: a window is a second and begins with a request. The clock of Redis may be some milliseconds ahead.
 */
function windowsSince(sentMs: number): number {
  return 1 + Math.floor((performance.now() - sentMs + 50) / 1_000);
}

const keyWithLimit = (requestsPerSecond: number): KeyRecord => ({
  id: apiKeyIdSchema.parse(randomUUID()),
  accountId: accountIdSchema.parse(randomUUID()),
  digest: new Uint8Array(32),
  scopes: ['outbound'],
  expiresAtMs: null,
  revokedAtMs: null,
  requestsPerSecond,
});
const isAllowed = (rateLimit: RateLimit, of: KeyRecord) =>
  rateLimit(of).then(
    () => true,
    () => false,
  );

describe('a limit', () => {
  it.each([1, 7, 99, 100, 250, 2_000])(
    'of %i is never exceeded by three processes, and nearly reached',
    async (limit) => {
      const redis = new Redis(api.stores.redisUrl);
      const processes = Array.from({ length: 3 }, () =>
        createRateLimit({ redis, clock: systemClock, requestsPerSecond: 1, keyPrefix: 'test' }),
      );
      const limited = keyWithLimit(limit);
      const sentMs = performance.now();
      let allowed = 0;
      // In waves: some requests find a prepaid share, some join a count in flight.
      for (let wave = 0; wave < 3; wave += 1) {
        const size = Math.ceil(limit / 2 / processes.length) + 1;
        const answers = await Promise.all(
          processes.flatMap((process) => Array.from({ length: size }, () => isAllowed(process, limited))),
        );
        allowed += answers.filter(Boolean).length;
      }
      const mostWindows = windowsSince(sentMs);
      redis.disconnect();
      expect(allowed).toBeLessThanOrEqual(limit * mostWindows);
      expect(allowed).toBeGreaterThanOrEqual(limit - 3 * Math.floor(limit / 100));
    },
  );
});

it('is checked after the key and before the body', async () => {
  const limited = await api.account({ requestsPerSecond: 1 });
  const codes = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const answer = await api.request('POST', '/outbound/calls', { key: limited.key, body: 'not json' });
      return answer.error().code;
    }),
  );
  expect(new Set(codes)).toEqual(new Set(['invalid_request', 'rate_limited']));
});
