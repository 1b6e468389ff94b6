import { IconAlertTriangle, IconCheck, IconClock, IconPlayerPause, IconX, type Icon } from '@tabler/icons-react';
import { ToneBadge } from '../../shared/components/tone-badge.tsx';
import type { Tone } from '../../shared/words/tone.ts';
import type { StateWords } from './webhook-words.ts';

const ICONS: Readonly<Record<Tone, Icon>> = {
  neutral: IconPlayerPause,
  active: IconClock,
  live: IconClock,
  good: IconCheck,
  warning: IconAlertTriangle,
  bad: IconX,
};

/** The state of an endpoint or a delivery. */
export function StateBadge({ words: { label, tone } }: { readonly words: StateWords }) {
  const StateIcon = ICONS[tone];
  return (
    <ToneBadge tone={tone} icon={<StateIcon size={13} aria-hidden />}>
      {label}
    </ToneBadge>
  );
}
