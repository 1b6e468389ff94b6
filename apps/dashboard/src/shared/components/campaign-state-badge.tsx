import type { CampaignState } from '@outdial/contracts';
import {
  IconBan,
  IconCalendarTime,
  IconCheck,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  type Icon,
} from '@tabler/icons-react';
import { CAMPAIGN_STATE_WORDS } from '../words/campaign-state.ts';
import { ToneBadge } from './tone-badge.tsx';

const ICONS: Readonly<Record<CampaignState, Icon>> = {
  draft: IconPencil,
  scheduled: IconCalendarTime,
  running: IconPlayerPlay,
  paused: IconPlayerPause,
  cancelling: IconBan,
  cancelled: IconBan,
  completed: IconCheck,
};

export function CampaignStateBadge({ state }: { readonly state: CampaignState }) {
  const { label, tone } = CAMPAIGN_STATE_WORDS[state];
  const StateIcon = ICONS[state];
  return (
    <ToneBadge tone={tone} icon={<StateIcon size={13} aria-hidden />}>
      {label}
    </ToneBadge>
  );
}
