import { invariant } from '@outdial/kernel';

const BUCKET_MS = 0.25;
/** 100 ms. Anything later is counted in the last bucket, and `mostMs` has the maximum. */
const BUCKETS = 400;

/**
 * How late packets were sent, as a histogram in steps of a quarter of a millisecond. It can be sent between threads and
 * added up.
 */
export interface LatenessCounts {
  readonly buckets: Uint32Array;
  readonly packets: number;
  readonly mostMs: number;
}

export class LatenessCounter {
  #buckets = new Uint32Array(BUCKETS);
  #packets = 0;
  #mostMs = 0;

  add(latenessMs: number): void {
    const bucket = Math.min(BUCKETS - 1, Math.max(0, Math.floor(latenessMs / BUCKET_MS)));
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
    this.#packets += 1;
    this.#mostMs = Math.max(this.#mostMs, latenessMs);
  }

  /** Returns the counts since the last call. */
  take(): LatenessCounts {
    const counts = { buckets: this.#buckets, packets: this.#packets, mostMs: this.#mostMs };
    this.#buckets = new Uint32Array(BUCKETS);
    this.#packets = 0;
    this.#mostMs = 0;
    return counts;
  }
}

export function addLateness(one: LatenessCounts, other: LatenessCounts): LatenessCounts {
  return {
    buckets: one.buckets.map((count, bucket) => count + (other.buckets[bucket] ?? 0)),
    packets: one.packets + other.packets,
    mostMs: Math.max(one.mostMs, other.mostMs),
  };
}

/**
 * The lateness that `share` (0 … 1) of the packets did not exceed, in ms, rounded up to a quarter. Null without
 * packets.
 */
export function latenessAt(share: number, { buckets, packets, mostMs }: LatenessCounts): number | null {
  invariant(share > 0 && share <= 1, 'a share must be above 0 and at most 1');
  if (packets === 0) return null;
  let below = 0;
  for (const [bucket, count] of buckets.entries()) {
    below += count;
    if (below >= share * packets) return bucket === BUCKETS - 1 ? mostMs : Math.min(mostMs, (bucket + 1) * BUCKET_MS);
  }
  return mostMs;
}
