import { Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleOff, IconQuestionMark } from '@tabler/icons-react';
import { ToneBadge } from '../../../shared/components/tone-badge.tsx';
import { healthOf } from '../trunk-health.ts';

const ICONS = {
  good: IconCircleCheck,
  neutral: IconCircleOff,
  warning: IconQuestionMark,
  bad: IconAlertTriangle,
} as const;

/** A trunk's health with its reasons. */
export function TrunkHealthBadge({ trunk }: { readonly trunk: Parameters<typeof healthOf>[0] }) {
  const { label, tone, details } = healthOf(trunk);
  const HealthIcon = ICONS[tone];
  return (
    <Stack gap={4} align="flex-start">
      <ToneBadge tone={tone} icon={<HealthIcon size={14} stroke={1.8} aria-hidden />}>
        {label}
      </ToneBadge>
      {details.map((detail) => (
        <Text key={detail} size="xs" c="dimmed">
          {detail}
        </Text>
      ))}
    </Stack>
  );
}
