import { pause, type Clock, type Logger } from '@outdial/kernel';
import type { DriveStore, FencingToken, ReclaimOutcome } from '../ports/drive-store.ts';
import { instantOf, LEASE_TIMES, type Instant, type LeaseTimes } from '../lease.ts';

export interface ReclaimDeps {
  readonly store: Pick<DriveStore, 'reclaim'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** `LEASE_TIMES` unless given. */
  readonly leaseTimes?: LeaseTimes;
}

/** `claimed`: `sentAt` is from before the claim was sent. `interrupted`: the call must not be dialed any more. */
export type Reclaimed =
  | { readonly kind: 'claimed'; readonly sentAt: Instant }
  | Extract<ReclaimOutcome, { readonly kind: 'fenced' | 'refused' }>
  | { readonly kind: 'interrupted' };

/** An operator who resumes dialing expects the first dials within a second. */
const ASK_INTERVAL_MS = 500;

/** Claims a delayed call again as soon as dialing resumes. Retries for as long as it takes; never rejects. */
export async function reclaimCall(
  { store, clock, logger, leaseTimes = LEASE_TIMES }: ReclaimDeps,
  fencingToken: FencingToken,
  interrupted: AbortSignal,
): Promise<Reclaimed> {
  let logged: 'nothing' | 'paused' | 'failed' = 'nothing';
  while (!interrupted.aborted) {
    const sentAt = instantOf(clock);
    try {
      const outcome = await store.reclaim({ ...fencingToken, leaseMs: leaseTimes.leaseMs });
      if (outcome.kind === 'fenced' || outcome.kind === 'refused') return outcome;
      if (outcome.kind === 'claimed') return { kind: 'claimed', sentAt };
      if (logged !== 'paused') logger.info({ event: 'call.dialing_paused' }, 'dialing is paused: the call waits');
      logged = 'paused';
    } catch (error) {
      if (logged !== 'failed')
        logger.warn({ event: 'call.claim_failed', err: error }, 'it is unknown whether the call may be dialed');
      logged = 'failed';
    }
    await pause(clock, ASK_INTERVAL_MS, interrupted);
  }
  return { kind: 'interrupted' };
}
