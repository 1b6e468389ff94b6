import { pause, type Clock } from '@outdial/kernel';
import type { ApiError } from './api-error.ts';
import type { HeavyReads } from './heavy-reads.ts';
import type { AccountPrincipal } from './principal.ts';

export interface UploadTurnsDeps {
  readonly clock: Clock;
  readonly heavyReads: HeavyReads;
  /** Whether the sender still has access: an upload may outlive its key or its session. */
  readonly hasAccess: (principal: AccountPrincipal) => Promise<boolean>;
  readonly isStoreUnavailable: (error: unknown) => boolean;
}

/** Runs one statement of an upload. It is repeated if it failed, so repeating it must be safe. */
export type UploadTurn = <Value>(statement: () => Promise<Value>) => Promise<Value>;

/** A moment without Postgres must not waste an upload of minutes. */
const MOST_TRIES = 4;
const RETRY_MS = 300;
const ACCESS_TRUSTED_FOR_MS = 5_000;

/**
 * The statements of one upload, each in the account's turn: uploads must not keep the reads of other accounts waiting.
 * `accessEnded` is thrown once the sender has lost access.
 */
export function uploadTurns(
  { clock, heavyReads, hasAccess, isStoreUnavailable }: UploadTurnsDeps,
  principal: AccountPrincipal,
  accessEnded: () => ApiError,
): UploadTurn {
  let checkedMs = clock.monotonicMs();
  return async (statement) => {
    if (clock.monotonicMs() - checkedMs > ACCESS_TRUSTED_FOR_MS) {
      if (!(await hasAccess(principal))) throw accessEnded();
      checkedMs = clock.monotonicMs();
    }
    for (let triesLeft = MOST_TRIES; ;) {
      try {
        return await heavyReads.readPart(principal.account.id, statement);
      } catch (error) {
        triesLeft -= 1;
        if (triesLeft === 0 || !isStoreUnavailable(error)) throw error;
        await pause(clock, RETRY_MS);
      }
    }
  };
}
