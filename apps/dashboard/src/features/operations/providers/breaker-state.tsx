import { Stack, Text } from '@mantine/core';
import type { OperatedBreakerBody } from '@outdial/contracts';
import { IconAlertTriangle, IconProgress } from '@tabler/icons-react';
import { RelativeTime } from '../../../shared/components/time-text.tsx';
import { ToneBadge } from '../../../shared/components/tone-badge.tsx';
import { breakerState, openingsText } from './provider-words.ts';

interface BreakerStateProps {
  readonly breaker: OperatedBreakerBody;
  /** Why it opened. */
  readonly reason: string;
}

/** Until when a breaker is open, since when, and why. */
export function BreakerState({ breaker, reason }: BreakerStateProps) {
  const { label, tone } = breakerState(breaker);
  const StateIcon = breaker.state === 'open' ? IconAlertTriangle : IconProgress;
  return (
    <Stack gap={2} align="flex-start">
      <ToneBadge tone={tone} icon={<StateIcon size={14} stroke={1.8} aria-hidden />}>
        {label}
      </ToneBadge>
      <Text size="xs" c="dimmed">
        First opened <RelativeTime at={breaker.since} />, {openingsText(breaker)}. {reason}
      </Text>
    </Stack>
  );
}
