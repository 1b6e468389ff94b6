import { createBatcher, type Clock } from '@outdial/kernel';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiFault } from './fault.ts';

export interface RateLimitOptions {
  /** A connection of its own: its command timeout is what a request waits at most before it is counted in memory. */
  readonly redis: Redis;
  readonly clock: Clock;
  /** For those that carry no limit of their own. */
  readonly requestsPerSecond: number;
  readonly keyPrefix?: string;
  /** Whose limit it is; `details.scope` of the refusal. */
  readonly scope?: RateScope;
}

/** A limit of one key, of one user of the dashboard, or of an account: of all its keys, or of all its members. */
export type RateScope = 'key' | 'user' | 'account';

const SENDERS: Readonly<Record<RateScope, string>> = {
  key: 'This API key sends',
  user: 'You send',
  account: 'This account sends, by all of its keys or members together,',
};

/** Whose requests are counted: a key, a user, or an account. */
export interface Sender {
  readonly id: string;
  readonly requestsPerSecond: number | null;
}

/** Counts one request of the sender. @throws ApiFault `rate_limited` */
export type RateLimit = (sender: Sender) => Promise<void>;

interface Limiters {
  readonly shared: RateLimiterRedis;
  readonly own: RateLimiterMemory;
}

/** Requests that were counted ahead, all within one window. */
interface Lot {
  left: number;
  readonly untilMs: number;
}

/** Milliseconds until the key may send again; 0 if this request may pass. */
type WaitMs = number;

/** After a failure Redis is left alone this long, so that an outage costs one request in a while its timeout. */
const MEMORY_ONLY_MS = 1_000;
const WINDOW_SECONDS = 1;
const MAX_REQUESTS = 1_000;
/** Of a key's limit: what a process may take ahead, and what may go unused in a window. */
const LOT_SHARE = 0.01;
/** Beyond so many all are given up, unused as they are: those of keys that send no more would stay for good. */
const MAX_LOTS = 10_000;

/**
 * Requests per key and second, counted for all processes in Redis, and by each for itself while Redis is away. What
 * comes in while a count is under way is counted together, in one command a key, and as exactly as one by one. A key
 * with a high limit is counted a hundredth of it ahead: most of its requests need not ask.
 */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { redis, clock, keyPrefix = 'outdial:requests', scope = 'key' } = options;
  const byPoints = new Map<number, Limiters>();
  const lots = new Map<string, Lot>();
  let memoryOnlyUntilMs = -Infinity;

  const pointsOf = (key: Sender): number => key.requestsPerSecond ?? options.requestsPerSecond;

  function limitersFor(points: number): Limiters {
    const known = byPoints.get(points);
    if (known) return known;
    const window = { points, duration: WINDOW_SECONDS, keyPrefix };
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

  /** Counts `requests` of one key at once: the first ones pass, as far as the limit reaches. */
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
    throw new ApiFault({
      code: 'rate_limited',
      publicMessage: `${SENDERS[scope]} too many requests. Wait as long as Retry-After says, then go on more slowly.`,
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
