import type { CallBody } from '@outdial/contracts';

/** What an opt-out does to the call itself, by the state of the call. */
export function optOutConsequence({ status }: Pick<CallBody, 'status'>): string {
  switch (status) {
    case 'scheduled':
    case 'queued':
      return 'This call ends without being dialed.';
    case 'dialing':
    case 'ringing':
    case 'in_progress':
      return 'This call itself goes on. To end it, use “Hang up”.';
    case 'ended':
      return 'This call is over and stays as it is.';
    default:
      return status satisfies never;
  }
}
