import { readQ850Cause, readRetryAfterSeconds } from '../syntax/field-values.ts';
import type { DialFailure } from './invite-dialer.ts';
import { sessionEnd, type SessionEnd } from './session.ts';

/** How a call ends whose INVITE was not accepted. `givenUp` says why we did not want it any more, if so. */
export function endOfFailure(failure: DialFailure, givenUp: 'cancelled' | 'no_answer' | null): SessionEnd {
  switch (failure.kind) {
    case 'refused':
    case 'unauthorized': {
      const { status, phrase, headers } = failure.response;
      const facts = {
        sipCode: status,
        q850Cause: readQ850Cause(headers),
        retryAfterSeconds: readRetryAfterSeconds(headers),
      };
      const detail = `${status} ${phrase}`;
      // 487 is the echo of our CANCEL; any other refusal is the callee's own, which crossed it.
      if (givenUp !== null && status === 487) return sessionEnd(givenUp, 'local', detail, facts);
      if (failure.kind === 'unauthorized') return sessionEnd('unauthorized', 'remote', detail, facts);
      return sessionEnd(status < 400 ? 'redirected' : 'refused', 'remote', detail, facts);
    }
    case 'not_dialled':
      return sessionEnd('not_dialled', 'local', 'the right to dial was over');
    case 'stopped':
      return sessionEnd(givenUp ?? 'cancelled', 'local', 'given up before an INVITE was sent');
    case 'unsent':
      return sessionEnd('unsent', 'network', failure.detail);
    case 'silent':
      break;
  }
  // A far end that was never heard has not let it ring either.
  if (givenUp === 'cancelled') return sessionEnd('cancelled', 'local', failure.detail);
  return sessionEnd('silent', 'network', failure.detail);
}
