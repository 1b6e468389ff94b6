import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconMicrophoneOff, IconPhoneOff } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { MicrophoneState, SoundLevels } from './microphone-session.ts';
import { stateWords, troubleOf } from './microphone-words.ts';

interface MicrophoneControlsProps {
  readonly levels: SoundLevels;
  readonly onEnd: () => void;
  readonly isEnding: boolean;
}

const SIDES = [
  { side: 'you', name: 'You', label: 'Level of your microphone', color: 'teal' },
  { side: 'agent', name: 'Agent', label: 'Level of the agent', color: 'iris' },
] as const;

/** How loud both sides are, and the button that hangs up. */
export function MicrophoneControls({ levels, onEnd, isEnding }: MicrophoneControlsProps) {
  const button = useRef<HTMLButtonElement>(null);
  // The form that began the try is gone, and the focus with it.
  useEffect(() => button.current?.focus(), []);
  return (
    <Stack gap="xs">
      {SIDES.map(({ side, name, label, color }) => (
        <Group key={side} gap="sm" wrap="nowrap">
          <Text size="xs" c="dimmed" w={60}>
            {name}
          </Text>
          <Progress.Root size="sm" flex={1} maw={420}>
            <Progress.Section value={levels[side]} color={color} aria-label={label} />
          </Progress.Root>
        </Group>
      ))}
      <Group>
        <Button
          ref={button}
          variant="default"
          leftSection={<IconPhoneOff size={17} aria-hidden />}
          onClick={onEnd}
          loading={isEnding}
        >
          End conversation
        </Button>
      </Group>
    </Stack>
  );
}

/** What the microphone waits for, or why it is off. */
export function MicrophoneNotice({ state }: { readonly state: MicrophoneState }) {
  const trouble = troubleOf(state);
  return (
    <>
      <Text size="sm" role="status">
        {stateWords(state)}
      </Text>
      {trouble !== null && (
        <Alert color="red" variant="light" icon={<IconMicrophoneOff aria-hidden />} title={trouble.title} role="alert">
          {trouble.text}
        </Alert>
      )}
    </>
  );
}
