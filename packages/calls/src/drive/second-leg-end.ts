import { unreachable } from '@outdial/kernel';
import type { LegEnd } from '../ports/carrier.ts';
import type { LegResult } from '../leg.ts';
import type { TransferFailure } from '../ports/voice-agent.ts';

interface LegCourse {
  readonly wasDialed: boolean;
  readonly wasAnswered: boolean;
  readonly wasConnected: boolean;
}

/** How a second leg ended, as it is shown. `end` is null while it is up: then the call ends it. */
export function legResultOf(end: LegEnd | null, { wasDialed, wasAnswered, wasConnected }: LegCourse): LegResult {
  if (wasConnected) return 'connected';
  if (wasAnswered) return 'not_connected';
  if (!wasDialed) return 'not_dialed';
  const outcome = end?.outcome ?? 'cancelled';
  switch (outcome) {
    case 'busy':
    case 'no_answer':
    case 'declined':
      return outcome;
    case 'invalid_destination':
    case 'rejected':
    case 'unavailable':
      return 'unreachable';
    case 'completed':
    case 'cancelled':
    case 'no_audio':
    case 'silenced':
    case 'not_dialled':
      return 'cancelled';
    default:
      return unreachable(outcome);
  }
}

/** Why a leg that ended before it was connected fails the transfer. */
export function legFailureOf(
  { outcome, sipCode }: LegEnd,
  { wasAnswered }: Pick<LegCourse, 'wasAnswered'>,
): TransferFailure {
  if (wasAnswered) return { reason: 'hung_up', sipCode };
  switch (outcome) {
    case 'busy':
    case 'declined':
    case 'invalid_destination':
    case 'rejected':
    case 'unavailable':
      return { reason: 'failed', sipCode };
    case 'no_answer':
    case 'cancelled':
      return { reason: 'unreported', sipCode };
    case 'completed':
    case 'no_audio':
    case 'silenced':
    case 'not_dialled':
      return { reason: 'unavailable', sipCode };
    default:
      return unreachable(outcome);
  }
}
