import type { AccountId } from '@outdial/contracts';
import { createFairLimiter, pause, FairLimiterFull, type Clock } from '@outdial/kernel';
import { ApiError } from './api-error.ts';

export interface HeavyReadsOptions {
  readonly clock: Clock;
  /** Concurrent reads of one account in this process. */
  readonly maxConcurrentPerAccount: number;
  /** Concurrent reads of all accounts: fewer than the connections for reading. */
  readonly maxConcurrent: number;
}

/**
 * Schedules the reads of lists and exports, and adds of many rows. (A timeline is a dozen short rows and is not scheduled.) Accounts take
 * turns, so that the readers of one account never delay another.
 */
export interface HeavyReads {
  /**
   * Runs a read in its turn. `bytesOf` returns the size of the result: a result that takes this process long to
   * serialize keeps its turn for that time.
   * @throws ApiError `rate_limited`, or `service_unavailable` while all accounts together exceed the capacity
   */
  read<Value>(accountId: AccountId, work: () => Promise<Value>, bytesOf?: (value: Value) => number): Promise<Value>;
  /** The same for one part of a long answer: waits for a turn without a limit. */
  readPart<Value>(accountId: AccountId, work: () => Promise<Value>, bytesOf?: (value: Value) => number): Promise<Value>;
}

/** Reads that may wait for each running one: the last of them is still answered within the second. */
const WAITING_PER_TURN = 4;
const WAITING = 200;
/**
 * Reading, serializing and compressing a megabyte takes about 50 ms of CPU. Twice that is kept free for other accounts.
 */
const BYTES_PER_MS = 8_000;
/** A normal page occupies its turn only while it is read. */
const FREE_BYTES = 64_000;
const RETRY_MS = 250;

export function createHeavyReads({ clock, maxConcurrentPerAccount, maxConcurrent }: HeavyReadsOptions): HeavyReads {
  const turns = createFairLimiter({
    maxRunning: Math.max(maxConcurrent, maxConcurrentPerAccount),
    maxRunningPerLane: maxConcurrentPerAccount,
    maxWaiting: WAITING,
    maxWaitingPerLane: WAITING_PER_TURN * maxConcurrentPerAccount,
  });

  const run: HeavyReads['read'] = (accountId, work, bytesOf) =>
    turns.run(accountId, work, (value) => {
      const bytes = bytesOf?.(value) ?? 0;
      return bytes <= FREE_BYTES ? Promise.resolve() : pause(clock, bytes / BYTES_PER_MS);
    });

  return {
    async read(accountId, work, bytesOf) {
      try {
        return await run(accountId, work, bytesOf);
      } catch (error) {
        throw error instanceof FairLimiterFull ? refusalOf(error, maxConcurrentPerAccount) : error;
      }
    },
    async readPart(accountId, work, bytesOf) {
      for (;;) {
        try {
          return await run(accountId, work, bytesOf);
        } catch (error) {
          if (!(error instanceof FairLimiterFull)) throw error;
          await pause(clock, RETRY_MS);
        }
      }
    },
  };
}

function refusalOf({ scope }: FairLimiterFull, maxConcurrentPerAccount: number): ApiError {
  if (scope === 'all') {
    return new ApiError({
      code: 'service_unavailable',
      publicMessage: 'The service is reading too many lists. Wait for the Retry-After period, then retry.',
      retryAfterSeconds: 1,
    });
  }
  return new ApiError({
    code: 'rate_limited',
    publicMessage: `This account reads or changes too many lists at once: ${maxConcurrentPerAccount} requests run concurrently and a few more may wait. Wait for the Retry-After period, then send one request at a time.`,
    details: { scope: 'account' },
    retryAfterSeconds: 1,
  });
}
