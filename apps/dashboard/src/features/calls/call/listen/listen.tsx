import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconEar, IconEarOff } from '@tabler/icons-react';
import type { CallBody } from '@outdial/contracts';
import type { CallKey } from '../../queries/call-query.ts';
import { VOICE_COLORS, VOICE_WORDS } from '../conversation/player.ts';
import { useMonitor, type MonitorState } from './use-monitor.ts';

interface ListenProps {
  readonly id: CallKey;
  readonly call: Pick<CallBody, 'status'>;
}

/** Lets a member hear both sides of a live call. */
export function Listen({ id, call }: ListenProps) {
  const { state, levels, start, stop } = useMonitor(id);
  const isOn = state.kind === 'connecting' || state.kind === 'listening';
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Button
          variant="light"
          leftSection={isOn ? <IconEarOff size={17} aria-hidden /> : <IconEar size={17} aria-hidden />}
          onClick={isOn ? stop : start}
        >
          {isOn ? 'Stop listening' : 'Listen'}
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {wordsOf(state, call)}
        </Text>
      </Group>
      {isOn &&
        (['callee', 'agent'] as const).map((role) => (
          <Group key={role} gap="sm" wrap="nowrap">
            <Text size="xs" c="dimmed" w={60}>
              {VOICE_WORDS[role]}
            </Text>
            <Progress.Root size="sm" flex={1}>
              <Progress.Section
                value={levels[role]}
                color={VOICE_COLORS[role]}
                aria-label={`Level of the ${VOICE_WORDS[role].toLowerCase()}`}
              />
            </Progress.Root>
          </Group>
        ))}
    </Stack>
  );
}

function wordsOf(state: MonitorState, { status }: Pick<CallBody, 'status'>): string {
  switch (state.kind) {
    case 'off':
      return 'Hear both sides live. The audit log notes who listens.';
    case 'connecting':
      return 'Connecting…';
    case 'listening':
      return status === 'in_progress'
        ? 'You hear the callee on the left and the agent on the right. Neither hears you.'
        : 'You hear the call once it is answered.';
    case 'over':
      return state.words;
    default:
      return state satisfies never;
  }
}
