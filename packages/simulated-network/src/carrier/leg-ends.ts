import type { LegEnd } from '@outdial/calls';
import { outcomeOfRefusal } from '@outdial/telephony';
import type { CalleeSignal } from '../personas/persona.ts';

/** Every way in which a simulated leg ends, with the response and the ITU-T Q.850 cause that a network sends for it. */

export const CALLEE_HUNG_UP: LegEnd = ended('completed', 'callee', 200, 16);
export const WE_HUNG_UP: LegEnd = ended('completed', 'us', 200, 16);
export const NETWORK_CUT: LegEnd = ended('completed', 'carrier', 200, 102);
export const CANCELLED: LegEnd = ended('cancelled', 'us', 487);
export const CANCELLED_WITHOUT_RESPONSE: LegEnd = ended('cancelled', 'us', null);
export const NO_ANSWER: LegEnd = ended('no_answer', 'callee', 487);
export const NO_RESPONSE: LegEnd = ended('unavailable', 'carrier', null);
export const NOT_DIALED: LegEnd = ended('not_dialled', 'us', null);

function ended(
  outcome: LegEnd['outcome'],
  by: LegEnd['by'],
  sipCode: number | null,
  q850Cause: number | null = null,
): LegEnd {
  return { outcome, by, sipCode, q850Cause, retryAfterSeconds: null };
}

/**
 * The end of a rejected call. Busy, declined and unanswered come from the callee; every other rejection comes from the
 * network.
 */
export function refusal({ sipCode, q850Cause, retryAfterSeconds }: Extract<CalleeSignal, { kind: 'reject' }>): LegEnd {
  const outcome = outcomeOfRefusal(sipCode);
  const byCallee = outcome === 'busy' || outcome === 'declined' || outcome === 'no_answer';
  return { outcome, by: byCallee ? 'callee' : 'carrier', sipCode, q850Cause, retryAfterSeconds };
}
