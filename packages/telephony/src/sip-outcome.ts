import type { LegOutcome } from '@outdial/calls';

/**
 * What a final response that rejects an INVITE means for the leg (RFC 3261 section 21, RFC 8197 for 607).
 *
 * A redirect is `rejected`: it is never followed, because the new target has no rate. 480 and 408 come from a network
 * that looked for the callee and did not find them in time. Where the code only says that the call failed or was
 * rejected, the Q.850 cause of the telephone network behind it decides (Reason header field, RFC 3326). 503 is not
 * refined: it is about the trunk, and lets the call go to another one.
 */
export function outcomeOfRefusal(sipCode: number, q850Cause: number | null = null): LegOutcome {
  const isVague = sipCode === 403 || sipCode === 480 || (sipCode >= 500 && sipCode < 600 && sipCode !== 503);
  const outcome = isVague && q850Cause !== null ? outcomeOfCause(q850Cause) : undefined;
  return outcome ?? outcomeOfCode(sipCode);
}

function outcomeOfCause(q850Cause: number): LegOutcome | undefined {
  switch (q850Cause) {
    case 1: // Unallocated number
    case 22: // Number changed
    case 28: // Incomplete or invalid number
      return 'invalid_destination';
    case 17: // User busy
      return 'busy';
    case 18: // No user responding
    case 19: // No answer from user
    case 20: // Subscriber absent
      return 'no_answer';
    case 21: // Call rejected
      return 'declined';
    default:
      return undefined;
  }
}

function outcomeOfCode(sipCode: number): LegOutcome {
  switch (sipCode) {
    case 486:
    case 600:
      return 'busy';
    case 408:
    case 480:
    case 487:
      return 'no_answer';
    case 603:
    case 607:
      return 'declined';
    case 404:
    case 410:
    case 484:
    case 604:
      return 'invalid_destination';
    default:
      return sipCode >= 500 && sipCode < 600 ? 'unavailable' : 'rejected';
  }
}
