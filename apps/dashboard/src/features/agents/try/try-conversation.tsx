import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { TRY_LIMITS, type TryBody } from '@outdial/contracts';
import { useEffect, useRef, useState } from 'react';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { formatDuration, formatMoney } from '../../../shared/format/numbers.ts';
import { useNow } from '../../../shared/hooks/use-now.ts';
import { SpokenLine, ToolLine } from '../conversation-line.tsx';
import { END_WORDS, type TryLine, type TryState } from './try-lines.ts';
import { MicrophoneControls } from './microphone/microphone-controls.tsx';
import type { SoundLevels } from './microphone/microphone-session.ts';
import type { useTry } from './use-try.ts';

interface TryConversationProps {
  readonly conversation: ReturnType<typeof useTry>;
  readonly current: TryBody;
  /** Of a try by microphone. */
  readonly levels: SoundLevels;
}

/** What was said, and how to say more. */
export function TryConversation({ conversation, current, levels }: TryConversationProps) {
  const { state, isLive, say, end } = conversation;
  const isText = current.medium === 'text';
  return (
    <Stack gap="sm">
      <Status state={state} current={current} isLive={isLive} />
      <Stack gap="xs" role="log" aria-label="Conversation" aria-live="polite">
        {state.lines.map((line) => (
          <Line key={line.key} line={line} />
        ))}
        {isLive && isText && state.lines.length === 0 && (
          <Text size="sm" c="dimmed">
            {state.model === null ? 'The agent is getting ready.' : 'Say something: the agent waits for you.'}
          </Text>
        )}
        {state.endedReason !== null && (
          <Text size="sm" fw={550}>
            {END_WORDS[state.endedReason]}
          </Text>
        )}
      </Stack>
      {say.error !== null && <ErrorNotice title="Your text was not sent" error={say.error} />}
      {isLive && isText && (
        <Say onSay={say.mutateAsync} onEnd={() => end.mutate(current.id)} isEnding={end.isPending} />
      )}
      {isLive && !isText && (
        <MicrophoneControls levels={levels} onEnd={() => end.mutate(current.id)} isEnding={end.isPending} />
      )}
    </Stack>
  );
}

interface StatusProps {
  readonly state: TryState;
  readonly current: TryBody;
  readonly isLive: boolean;
}

function Status({ state, current, isLive }: StatusProps) {
  const leftSeconds = (Date.parse(current.expires_at) - useNow()) / 1_000;
  const cost = state.isOwnCredential ? 'your own credential' : formatMoney(state.cost, current.currency);
  return (
    <Group gap="xs" role="group" aria-label="About this try">
      <Badge variant="default" tt="none" fw={500}>
        Version {current.agent_version}
      </Badge>
      {state.model !== null && (
        <Badge variant="default" tt="none" fw={500}>
          {state.model}
        </Badge>
      )}
      <Text size="sm">Cost: {cost}</Text>
      {state.isOwnCredential && state.quantities.length > 0 && (
        <Text size="sm" c="dimmed">
          {state.quantities.map(({ unit, quantity }) => `${quantity} ${unit.replaceAll('_', ' ')}s`).join(', ')}
        </Text>
      )}
      {isLive && <Text size="sm">Time left: {formatDuration(leftSeconds)}</Text>}
    </Group>
  );
}

function Line({ line }: { readonly line: TryLine }) {
  switch (line.kind) {
    case 'agent':
    case 'callee':
      return <SpokenLine speaker={line.kind === 'agent' ? 'Agent' : 'You'} text={line.text} />;
    case 'tool':
      return <ToolLine name={line.name} given={line.given} result={line.result} isFailed={line.isFailed} />;
    case 'act':
      return (
        <Text size="sm" c="dimmed" fs="italic">
          {line.text}
        </Text>
      );
    default:
      return line satisfies never;
  }
}

interface SayProps {
  /** Rejects if the text was not taken. */
  readonly onSay: (text: string) => Promise<unknown>;
  readonly onEnd: () => void;
  readonly isEnding: boolean;
}

function Say({ onSay, onEnd, isEnding }: SayProps) {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // The form that began the try is gone, and the focus with it.
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === '') return;
        setText('');
        // The notice of the error stands above. What was typed since then stays.
        onSay(text.trim()).catch(() => setText((typed) => (typed === '' ? text : typed)));
      }}
    >
      <Group gap="sm" align="flex-end">
        <TextInput
          ref={field}
          label="What the callee says"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          maxLength={TRY_LIMITS.textLength}
          autoComplete="off"
          flex="1 1 220px"
        />
        <Button type="submit">Send</Button>
        <Button variant="default" onClick={onEnd} loading={isEnding}>
          End conversation
        </Button>
      </Group>
    </form>
  );
}
