import { pause, type Clock, type Logger } from '@outdial/kernel';
import type { DriveStore, ReclaimOutcome } from '../ports/drive-store.ts';
import { instantOf, LEASE_MS, type FencingToken, type Instant } from './lease.ts';

export interface ReclaimDeps {
  readonly store: Pick<DriveStore, 'reclaim'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** `claimed`: `sentAt` is from before the claim was sent. `interrupted`: the call is not to be dialled any more. */
export type Reclaimed =
  | { readonly kind: 'claimed'; readonly sentAt: Instant }
  | Extract<ReclaimOutcome, { readonly kind: 'fenced' | 'refused' }>
  | { readonly kind: 'interrupted' };

/** Whoever lets dialling go on expects the first dials within a second. */
const ASK_INTERVAL_MS = 500;

/** Claims a call that was held back, as soon as dialling goes on: asks for as long as it takes. Never rejects. */
export async function reclaimCall(
  { store, clock, logger }: ReclaimDeps,
  right: FencingToken,
  interrupted: AbortSignal,
): Promise<Reclaimed> {
  let said: 'nothing' | 'paused' | 'failed' = 'nothing';
  while (!interrupted.aborted) {
    const sentAt = instantOf(clock);
    try {
      const outcome = await store.reclaim({ ...right, leaseMs: LEASE_MS });
      if (outcome.kind === 'fenced' || outcome.kind === 'refused') return outcome;
      if (outcome.kind === 'claimed') return { kind: 'claimed', sentAt };
      if (said !== 'paused') logger.info('dialling is paused: the call waits');
      said = 'paused';
    } catch (error) {
      if (said !== 'failed') logger.warn({ err: error }, 'whether the call may be dialled is not known');
      said = 'failed';
    }
    await pause(clock, ASK_INTERVAL_MS, interrupted);
  }
  return { kind: 'interrupted' };
}
