import { createBatcher, type Clock } from '@outdial/kernel';
import type { RedisClient } from '@outdial/queue';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from './api-error.ts';

export interface RateLimitOptions {
  /** Its own connection: its command timeout is the longest that a request waits before it is counted in memory. */
  readonly redis: RedisClient;
  readonly clock: Clock;
  /** The limit of senders without their own limit. */
  readonly requestsPerSecond: number;
  readonly keyPrefix?: string;
  /** Default: 1. `requestsPerSecond` is then the limit of this time. */
  readonly windowSeconds?: number;
  /** Whose limit it is; becomes `details.scope` of the rejection. */
  readonly scope?: RateScope;
}

/** The limit of one key, of one user of the dashboard, or of an account (all its keys, or all its members). */
export type RateScope = 'key' | 'user' | 'account';

const SENDERS: Readonly<Record<RateScope, string>> = {
  key: 'This API key sends',
  user: 'You send',
  account: 'The keys or members of this account together send',
};

/** The sender whose requests are counted: a key, a user, or an account. */
export interface Sender {
  readonly id: string;
  readonly requestsPerSecond: number | null;
}

/** Counts one request of the sender. @throws ApiError `rate_limited` */
export type RateLimit = (sender: Sender) => Promise<void>;

interface Limiters {
  readonly shared: RateLimiterRedis;
  readonly own: RateLimiterMemory;
}

/** Requests counted in advance, all within one window. */
interface Lot {
  left: number;
  readonly untilMs: number;
}

/** Milliseconds until the key may send again; 0 if this request may pass. */
type WaitMs = number;

/** After a failure Redis is skipped for this long, so that an outage costs only an occasional request its timeout. */
const MEMORY_ONLY_MS = 1_000;
const MAX_REQUESTS = 1_000;
/** The share of a key's limit that a process may count in advance, and that may stay unused in a window. */
const LOT_SHARE = 0.01;
/** Above this number all advance counts are discarded unused: those of inactive keys would otherwise stay forever. */
const MAX_LOTS = 10_000;

/**
 * Limits requests per key and second, counted for all processes in Redis, and by each process on its own while Redis is
 * away. Requests that arrive while a count is in flight are counted together, with one command per key, as exactly as
 * one by one. For a key with a high limit, a hundredth of it is counted in advance, so that most of its requests need
 * no command.
 */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { redis, clock, keyPrefix = 'outdial:requests', scope = 'key', windowSeconds = 1 } = options;
  const byPoints = new Map<number, Limiters>();
  const lots = new Map<string, Lot>();
  let memoryOnlyUntilMs = -Infinity;

  const pointsOf = (key: Sender): number => key.requestsPerSecond ?? options.requestsPerSecond;

  function limitersFor(points: number): Limiters {
    const known = byPoints.get(points);
    if (known) return known;
    const window = { points, duration: windowSeconds, keyPrefix };
    const limiters = {
      shared: new RateLimiterRedis({ ...window, storeClient: redis }),
      own: new RateLimiterMemory(window),
    };
    byPoints.set(points, limiters);
    return limiters;
  }

  async function consume(key: Sender, requests: number): Promise<RateLimiterRes> {
    const { shared, own } = limitersFor(pointsOf(key));
    if (clock.monotonicMs() >= memoryOnlyUntilMs) {
      try {
        return await resultOf(shared.consume(key.id, requests));
      } catch {
        memoryOnlyUntilMs = clock.monotonicMs() + MEMORY_ONLY_MS;
      }
    }
    return resultOf(own.consume(key.id, requests));
  }

  /** Counts `requests` of one key at once. The first ones pass, as far as the limit allows. */
  async function count(key: Sender, requests: number): Promise<readonly WaitMs[]> {
    const sentMs = clock.monotonicMs();
    const points = pointsOf(key);
    const ahead = Math.floor(points * LOT_SHARE);
    const result = await consume(key, requests + ahead);
    const passing = points - (result.consumedPoints - requests - ahead);
    const left = Math.min(ahead, passing - requests);
    if (lots.size >= MAX_LOTS) lots.clear();
    if (left > 0) lots.set(key.id, { left, untilMs: sentMs + result.msBeforeNext });
    return Array.from({ length: requests }, (_, index) => (index < passing ? 0 : Math.max(1, result.msBeforeNext)));
  }

  function takeFromLot(key: Sender): boolean {
    const lot = lots.get(key.id);
    if (!lot) return false;
    const isUsable = lot.left > 0 && clock.monotonicMs() < lot.untilMs;
    if (isUsable) lot.left -= 1;
    else lots.delete(key.id);
    return isUsable;
  }

  const counts = createBatcher<Sender, WaitMs>({
    maxItems: MAX_REQUESTS,
    async flush(keys) {
      const requests = new Map<string, number>();
      for (const { id } of keys) requests.set(id, (requests.get(id) ?? 0) + 1);
      const waits = new Map<string, readonly WaitMs[]>();
      const byId = new Map(keys.map((key) => [key.id, key]));
      await Promise.all([...byId].map(async ([id, key]) => waits.set(id, await count(key, requests.get(id) ?? 0))));
      const answered = new Map<string, number>();
      return keys.map(({ id }) => {
        const index = answered.get(id) ?? 0;
        answered.set(id, index + 1);
        return { ok: true, value: waits.get(id)?.[index] ?? 0 };
      });
    },
  });

  return async function rateLimit(key) {
    if (takeFromLot(key)) return;
    const waitMs = await counts.submit(key);
    if (waitMs === 0) return;
    throw new ApiError({
      code: 'rate_limited',
      publicMessage: `${SENDERS[scope]} too many requests. Wait for the Retry-After period, then send more slowly.`,
      details: { scope },
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    });
  };
}

/** The library rejects with its result when the limit is reached, and with an error when the store failed. */
function resultOf(consuming: Promise<RateLimiterRes>): Promise<RateLimiterRes> {
  return consuming.catch((refusal: unknown) => {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  });
}
