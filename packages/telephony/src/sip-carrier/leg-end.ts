import type { LegEnd } from '@outdial/calls';
import { unreachable } from '@outdial/kernel';
import type { SessionEnd } from '@outdial/sip';
import { outcomeOfRefusal } from '../sip-outcome.ts';

/** Canceled before anything was sent. */
export const CANCELLED_UNSENT: LegEnd = unsent('cancelled', 'us');
/** The call cannot be given to any trunk, for a reason on our side. */
export const NO_TRUNK: LegEnd = unsent('unavailable', 'carrier');
/** The right to the call was lost while it waited for a trunk. */
export const NOT_PERMITTED: LegEnd = unsent('not_dialled', 'us');
/** Trunks exist, but none of them carries calls from this number: trying again changes nothing. */
export const CALLER_NOT_ALLOWED: LegEnd = unsent('rejected', 'carrier');

/** The end of a leg, from the end of its SIP session. */
export function legEndOf(end: SessionEnd): LegEnd {
  const { sipCode, q850Cause, retryAfterSeconds, refusal } = end;
  return { ...verdictOf(end), sipCode, q850Cause, retryAfterSeconds, ...(refusal ? { refusal } : {}) };
}

function verdictOf({ outcome, by, sipCode, q850Cause }: SessionEnd): Pick<LegEnd, 'outcome' | 'by'> {
  switch (outcome) {
    case 'completed':
      return { outcome, by: by === 'local' ? 'us' : by === 'remote' ? 'callee' : 'carrier' };
    case 'refused':
      return rejection(sipCode ?? 500, q850Cause);
    case 'redirected':
    case 'unauthorized':
      return { outcome: 'rejected', by: 'carrier' };
    case 'no_answer':
      return { outcome, by: 'callee' };
    case 'cancelled':
      return { outcome, by: 'us' };
    case 'not_dialled':
      return { outcome, by: 'us' };
    case 'unsent':
    case 'silent':
      return { outcome: 'unavailable', by: 'carrier' };
    case 'no_media':
      return { outcome: 'no_audio', by: 'us' };
    case 'lost':
      return { outcome: 'completed', by: 'carrier' };
    default:
      return unreachable(outcome);
  }
}

/** Busy, declined and unanswered come from the callee; every other rejection comes from the network. */
function rejection(sipCode: number, q850Cause: number | null): Pick<LegEnd, 'outcome' | 'by'> {
  const outcome = outcomeOfRefusal(sipCode, q850Cause);
  const byCallee = outcome === 'busy' || outcome === 'declined' || outcome === 'no_answer';
  return { outcome, by: byCallee ? 'callee' : 'carrier' };
}

/**
 * Whether the call may be given to another trunk: only after a final 503, or when no byte was sent. Without a response
 * to an INVITE, a telephone may be ringing.
 */
export function mayTryNextTrunk({ outcome, sipCode }: SessionEnd): boolean {
  return outcome === 'unsent' || (outcome === 'refused' && sipCode === 503);
}

function unsent(outcome: LegEnd['outcome'], by: LegEnd['by']): LegEnd {
  return { outcome, by, sipCode: null, q850Cause: null, retryAfterSeconds: null };
}
