import { Group, Text } from '@mantine/core';
import { VOICE_COLORS, VOICE_WORDS } from './player.ts';
import classes from './conversation.module.css';

/** Says which half of the waveform belongs to whom. */
export function VoiceLegend() {
  return (
    <Group gap="md">
      {(['callee', 'agent'] as const).map((role) => (
        <Group key={role} gap={7} wrap="nowrap">
          <span className={classes['swatch']} style={{ background: `var(--mantine-color-${VOICE_COLORS[role]}-5)` }} />
          <Text size="xs" c="dimmed">
            {VOICE_WORDS[role]} ({role === 'callee' ? 'top' : 'bottom'})
          </Text>
        </Group>
      ))}
    </Group>
  );
}
