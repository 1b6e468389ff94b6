import { MONITOR_CLOSE, MOST_MONITORS } from '@outdial/contracts';

/** Why listening stopped, for the member; null: the page connects again. */
export function monitorEndWords(code: number): string | null {
  switch (code) {
    case MONITOR_CLOSE.call_ended:
      return 'The call has ended.';
    case MONITOR_CLOSE.access_lost:
      return 'You may no longer listen: your session or your membership has ended. Sign in again.';
    case MONITOR_CLOSE.too_many:
      return `${MOST_MONITORS} members of this account listen to live calls already. Try again once one of them has stopped.`;
    case MONITOR_CLOSE.not_allowed:
      return 'The service ended the connection. Reload the page.';
    default:
      return null;
  }
}
