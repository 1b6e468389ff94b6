import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { TONE_COLORS, type Tone } from '../words/tone.ts';

interface ToneBadgeProps {
  readonly tone: Tone;
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}

/** A state as a word, a color and an icon. */
export function ToneBadge({ tone, icon, children }: ToneBadgeProps) {
  return (
    <Badge
      color={TONE_COLORS[tone]}
      variant="light"
      radius="sm"
      leftSection={icon}
      tt="none"
      fw={500}
      fz="xs"
      h={24}
      // A state is never truncated.
      miw="max-content"
    >
      {children}
    </Badge>
  );
}
