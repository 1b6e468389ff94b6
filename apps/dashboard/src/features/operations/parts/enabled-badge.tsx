import { IconCircleCheck, IconCircleOff } from '@tabler/icons-react';
import { ToneBadge } from '../../../shared/components/tone-badge.tsx';

export function EnabledBadge({ isEnabled }: { readonly isEnabled: boolean }) {
  const StateIcon = isEnabled ? IconCircleCheck : IconCircleOff;
  return (
    <ToneBadge tone={isEnabled ? 'good' : 'neutral'} icon={<StateIcon size={14} stroke={1.8} aria-hidden />}>
      {isEnabled ? 'Enabled' : 'Disabled'}
    </ToneBadge>
  );
}
