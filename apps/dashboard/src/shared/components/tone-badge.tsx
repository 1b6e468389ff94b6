import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { TONE_COLOURS, type Tone } from '../words/tone.ts';

interface ToneBadgeProps {
  readonly tone: Tone;
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}

/** A state in a word, a colour and an icon. */
export function ToneBadge({ tone, icon, children }: ToneBadgeProps) {
  return (
    <Badge
      color={TONE_COLOURS[tone]}
      variant="light"
      radius="sm"
      leftSection={icon}
      tt="none"
      fw={500}
      fz="xs"
      h={24}
      // A state is never cut short.
      miw="max-content"
    >
      {children}
    </Badge>
  );
}
