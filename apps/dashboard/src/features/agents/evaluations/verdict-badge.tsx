import { IconAlertTriangle, IconCheck, IconClock, IconX, type Icon } from '@tabler/icons-react';
import { ToneBadge } from '../../../shared/components/tone-badge.tsx';
import type { Tone } from '../../../shared/words/tone.ts';
import { wordingOf } from './evaluation-words.ts';

const ICONS: Readonly<Record<Tone, Icon>> = {
  neutral: IconClock,
  active: IconClock,
  live: IconClock,
  good: IconCheck,
  warning: IconAlertTriangle,
  bad: IconX,
};

export function VerdictBadge({ of }: { readonly of: Parameters<typeof wordingOf>[0] }) {
  const { label, tone } = wordingOf(of);
  const ToneIcon = ICONS[tone];
  return (
    <ToneBadge tone={tone} icon={<ToneIcon size={13} aria-hidden />}>
      {label}
    </ToneBadge>
  );
}
