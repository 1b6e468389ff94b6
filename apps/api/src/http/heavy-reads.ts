import type { AccountId } from '@outdial/contracts';
import { createFairLimiter, pause, FairLimiterFull, type Clock } from '@outdial/kernel';
import { ApiFault } from './fault.ts';

export interface HeavyReadsOptions {
  readonly clock: Clock;
  /** Of one account, in this process. */
  readonly atOnceOfAccount: number;
  /** Of all accounts: fewer than there are connections for reading. */
  readonly atOnce: number;
}

/** Readings of lists and exports. A timeline is a dozen short rows, and no such reading. Accounts take turns, so that the readers of one never keep another waiting. */
export interface HeavyReads {
  /**
   * `bytesOf` tells how much was read: what takes this process long to write keeps its turn for as long.
   * @throws ApiFault `rate_limited`, or `service_unavailable` while all accounts together want too much
   */
  read<Value>(accountId: AccountId, work: () => Promise<Value>, bytesOf?: (value: Value) => number): Promise<Value>;
  /** The same for one part of a long answer: waits until there is a turn. */
  readOn<Value>(accountId: AccountId, work: () => Promise<Value>, bytesOf?: (value: Value) => number): Promise<Value>;
}

/** For each that runs, so many may wait: the last of them is still answered within the second. */
const WAITING_PER_TURN = 4;
const WAITING = 200;
/** Read, made into JSON and compressed, a megabyte takes some 50 ms of a processor; twice that is kept free for others. */
const BYTES_PER_MS = 8_000;
/** A usual page costs no more than its reading. */
const FREE_BYTES = 64_000;
const RETRY_MS = 250;

export function createHeavyReads({ clock, atOnceOfAccount, atOnce }: HeavyReadsOptions): HeavyReads {
  const turns = createFairLimiter({
    maxRunning: Math.max(atOnce, atOnceOfAccount),
    maxRunningPerLane: atOnceOfAccount,
    maxWaiting: WAITING,
    maxWaitingPerLane: WAITING_PER_TURN * atOnceOfAccount,
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
        throw error instanceof FairLimiterFull ? refusalOf(error, atOnceOfAccount) : error;
      }
    },
    async readOn(accountId, work, bytesOf) {
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

function refusalOf({ scope }: FairLimiterFull, atOnceOfAccount: number): ApiFault {
  if (scope === 'all') {
    return new ApiFault({
      code: 'service_unavailable',
      publicMessage: 'Too many lists are read at this moment. Wait as long as Retry-After says, then try again.',
      retryAfterSeconds: 1,
    });
  }
  return new ApiFault({
    code: 'rate_limited',
    publicMessage: `This account reads too many lists at the same time: ${atOnceOfAccount} are read at once, and a few more may wait. Wait as long as Retry-After says, then read one after the other.`,
    details: { scope: 'account' },
    retryAfterSeconds: 1,
  });
}
