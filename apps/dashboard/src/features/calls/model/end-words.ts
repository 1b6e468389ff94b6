import type { CallBody } from '@outdial/contracts';

export interface EndWords {
  /** The action. */
  readonly label: string;
  /** Asks about the action. */
  readonly title: string;
  readonly consequence: string;
}

/** What ending an open call is called, and what it does. */
export function endWords({ status, expires_at: end }: Pick<CallBody, 'status' | 'expires_at'>): EndWords {
  if (status === 'scheduled') {
    return {
      label: 'Cancel call',
      title: 'Cancel this call?',
      consequence:
        'The call ends at once. It is never dialed, costs nothing and is not tried again. You cannot undo this.',
    };
  }
  // Only a call with a time to give up may have retries.
  const noRetry = end === null ? '' : ' The call is not tried again.';
  if (status === 'in_progress') {
    return {
      label: 'Hang up',
      title: 'Hang up?',
      consequence: `The call ends immediately, even mid-sentence. You are charged for the time so far.${noRetry}`,
    };
  }
  return {
    label: 'End call',
    title: 'End this call?',
    consequence: `The phone stops ringing, or the call is not dialed at all. Unanswered calls are free.${noRetry}`,
  };
}
