import { Group, Text } from '@mantine/core';
import { VOICE_COLOURS, VOICE_WORDS } from './player.ts';
import classes from './conversation.module.css';

/** Which half of the wave is whose. */
export function VoiceLegend() {
  return (
    <Group gap="md">
      {(['callee', 'agent'] as const).map((role) => (
        <Group key={role} gap={7} wrap="nowrap">
          <span className={classes['swatch']} style={{ background: `var(--mantine-color-${VOICE_COLOURS[role]}-5)` }} />
          <Text size="xs" c="dimmed">
            {VOICE_WORDS[role]} ({role === 'callee' ? 'above' : 'below'})
          </Text>
        </Group>
      ))}
    </Group>
  );
}
