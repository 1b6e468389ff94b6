import { readQ850, readRetryAfterSeconds } from '../syntax/field-values.ts';
import type { DialFailure } from './invite-dialer.ts';
import { sessionEnd, type SessionEnd } from './session.ts';

/** The end of a call whose INVITE was not accepted. `cancellationReason` is the reason for which we canceled, if we did. */
export function endOfFailure(failure: DialFailure, cancellationReason: 'cancelled' | 'no_answer' | null): SessionEnd {
  switch (failure.kind) {
    case 'refused':
    case 'unauthorized': {
      const { status, phrase, headers } = failure.response;
      const q850 = readQ850(headers);
      const facts = {
        sipCode: status,
        q850Cause: q850?.cause ?? null,
        retryAfterSeconds: readRetryAfterSeconds(headers),
        refusal: {
          reasonPhrase: printable(phrase),
          warning: printable(headers.get('warning')),
          q850Text: printable(q850?.text),
        },
      };
      const detail = `${status} ${phrase}`;
      // 487 is the result of our CANCEL; any other rejection is the callee's own, and crossed it.
      if (cancellationReason !== null && status === 487) return sessionEnd(cancellationReason, 'local', detail, facts);
      if (failure.kind === 'unauthorized') return sessionEnd('unauthorized', 'remote', detail, facts);
      return sessionEnd(status < 400 ? 'redirected' : 'refused', 'remote', detail, facts);
    }
    case 'not_dialled':
      return sessionEnd('not_dialled', 'local', 'the right to dial was over');
    case 'stopped':
      return sessionEnd(cancellationReason ?? 'cancelled', 'local', 'given up before an INVITE was sent');
    case 'unsent':
      return sessionEnd('unsent', 'network', failure.detail);
    case 'silent':
      break;
  }
  // A far end that never responded did not ring either.
  if (cancellationReason === 'cancelled') return sessionEnd('cancelled', 'local', failure.detail);
  return sessionEnd('silent', 'network', failure.detail);
}

/** Longer text is not a phrase; text from outside is stored and shown. */
const MAX_TEXT = 200;

function printable(text: string | null | undefined): string | null {
  const clean = (text ?? '').replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ').trim();
  return clean === '' ? null : Array.from(clean).slice(0, MAX_TEXT).join('');
}
