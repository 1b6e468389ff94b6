import type { CampaignState } from '@outdial/contracts';
import type { Tone } from './tone.ts';

interface Wording {
  readonly label: string;
  readonly tone: Tone;
}

export const CAMPAIGN_STATE_WORDS: Readonly<Record<CampaignState, Wording>> = {
  draft: { label: 'Draft', tone: 'neutral' },
  scheduled: { label: 'Scheduled', tone: 'active' },
  running: { label: 'Running', tone: 'live' },
  paused: { label: 'Paused', tone: 'warning' },
  cancelling: { label: 'Canceling', tone: 'neutral' },
  cancelled: { label: 'Canceled', tone: 'neutral' },
  completed: { label: 'Completed', tone: 'good' },
};
