import type { Micros } from '@outdial/contracts';
import type { ClaimedCall, DriveStore } from '../ports/drive-store.ts';
import type { Gate } from '../ports/gate.ts';

export type EnlargeHoldOutcome =
  /** Both stores have it: it may be used. */
  | { readonly kind: 'enlarged' }
  /** The hold could grow by this amount at most. */
  | { readonly kind: 'denied'; readonly availableMicros: Micros }
  /** A store is away, or the gate is being rebuilt: try again. */
  | { readonly kind: 'not_now' }
  /** Another worker owns the call. */
  | { readonly kind: 'fenced' };

export interface EnlargeHoldDeps {
  readonly gate: Pick<Gate, 'enlarge' | 'close'>;
  readonly store: Pick<DriveStore, 'enlargeHold'>;
}

/**
 * First the gate, then Postgres under the gate's token. Until both have it, the money may be promised to another call; in
 * the opposite order, a crash in between would let the gate spend what Postgres has already assigned.
 *
 * The amount is absolute, so that a command that is delivered twice changes nothing. Rejects when a store is away.
 */
export async function enlargeHold(
  deps: EnlargeHoldDeps,
  call: Pick<ClaimedCall, 'id' | 'accountId' | 'reservationId' | 'epoch'>,
  holdMicros: Micros,
): Promise<EnlargeHoldOutcome> {
  const { id: callId, accountId, reservationId, epoch } = call;
  const granted = await deps.gate.enlarge({ callId, accountId, reservationId, holdMicros });
  switch (granted.kind) {
    case 'insufficient_funds':
      return { kind: 'denied', availableMicros: granted.availableMicros };
    case 'closed':
    case 'not_held':
      // A gate that does not hold an open call is about to be rebuilt, which restores the hold.
      return { kind: 'not_now' };
    case 'enlarged':
      break;
  }
  const { token } = granted;
  const taken = await deps.store.enlargeHold({ callId, epoch, holdMicros, token });
  if (taken.kind !== 'gate_stale') return { kind: taken.kind };
  await deps.gate.close(token);
  return { kind: 'not_now' };
}
