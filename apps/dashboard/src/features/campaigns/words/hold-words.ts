import { OPEN_POLICY, type CampaignBody, type CampaignHold } from '@outdial/contracts';
import { windowAt } from '@outdial/policies';

/** In the list of campaigns, after "held by". */
export const HOLD_LABELS: Readonly<Record<CampaignHold, string>> = {
  funds: 'Funds',
  capacity: 'Slots',
  window: 'Calling hours',
  cap: 'Numbers called too often',
  budget: 'Budget',
  provider: 'Provider of models',
  account: 'Disabled account',
};

/** Where the page leads to what would let the campaign go on. */
export type Remedy = 'wallet' | 'requests' | 'calling_hours' | 'agent' | 'settings';

export interface HoldAdvice {
  readonly title: string;
  readonly text: string;
  /** Null: it goes on by itself. */
  readonly remedy: Remedy | null;
}

type Held = Pick<CampaignBody, 'state' | 'window' | 'max_concurrent'> & {
  readonly progress: Pick<CampaignBody['progress'], 'held_by' | 'open'>;
};

interface Moment {
  readonly nowMs: number;
  /** Formats a time. */
  readonly time: (iso: string) => string;
}

/** What keeps a campaign from calling, and what to do. Null: nothing does. */
export function holdAdvice(campaign: Held, { nowMs, time }: Moment): HoldAdvice | null {
  const { progress, state, max_concurrent: most } = campaign;
  switch (progress.held_by) {
    case null:
      return null;
    case 'funds':
      return {
        title: 'Waits for funds',
        text: 'The available balance does not cover the next call. It goes on within a second after a top-up.',
        remedy: 'wallet',
      };
    case 'capacity':
      return most !== null && progress.open >= most
        ? {
            title: 'As many calls are open as you allow',
            text: `At most ${most} of its calls are open at once. It goes on as they end.`,
            remedy: 'settings',
          }
        : {
            title: 'Waits for free slots',
            text: 'All slots that campaigns of your account may use are taken, or no line to the telephone network is free. It goes on by itself. Your operator can give your account more slots.',
            remedy: 'requests',
          };
    case 'window':
      return windowAdvice(campaign, { nowMs, time });
    case 'cap':
      return {
        title: 'The next numbers were called too often',
        text: 'The calling policy limits how often a number is called. They wait until they may be called again.',
        remedy: 'calling_hours',
      };
    case 'provider':
      return {
        title: 'Waits for a provider of models',
        text: 'A provider of the agent’s models does not respond, takes no more calls at once, or its credential is missing. It goes on by itself once that is over.',
        remedy: 'agent',
      };
    case 'account':
      return {
        title: 'The account is disabled',
        text: 'No contact is called, and none is lost. It goes on within seconds after your operator has enabled the account.',
        remedy: null,
      };
    case 'budget':
      return state === 'paused'
        ? {
            title: 'Paused: its budget is used up',
            text: 'What is left of the budget does not cover another call. Raise the budget, then resume the campaign.',
            remedy: 'settings',
          }
        : {
            title: 'Its budget is used up',
            text: 'What is left of the budget does not cover another call. It is paused when its open calls have ended, unless you raise the budget.',
            remedy: 'settings',
          };
    default:
      return progress.held_by satisfies never;
  }
}

/** The campaign's own hours, or those of its callees. */
function windowAdvice({ window }: Pick<Held, 'window'>, { nowMs, time }: Moment): HoldAdvice {
  const opens = window === null ? null : opensAt(window, nowMs);
  if (opens === null) {
    return {
      title: 'Waits for calling hours',
      text: 'Where the next contacts are, your calling hours are closed. Each is called once they open.',
      remedy: 'calling_hours',
    };
  }
  return {
    title: 'Outside its hours',
    text: `Its own hours are closed. They open next on ${time(new Date(opens).toISOString())}, and it goes on then.`,
    remedy: 'settings',
  };
}

/** When the hours open next. Null: they are open, or do not open within 90 days. */
export function opensAt(window: NonNullable<CampaignBody['window']>, nowMs: number): number | null {
  const policies = { policy: { ...OPEN_POLICY, windows: { default: window.days } }, floor: null };
  const place = { zones: [window.time_zone], regions: [], givenZone: null, certain: true };
  const found = windowAt(policies, place, nowMs);
  return found.kind === 'closed' ? found.opensAtMs : null;
}
