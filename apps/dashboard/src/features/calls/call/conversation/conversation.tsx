import { Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { CallBody } from '@outdial/contracts';
import { lazy, Suspense, useState } from 'react';
import { activeTurn, neighboringTurn } from '../../model/active-turn.ts';
import { conversationItems, shownTurns } from '../../model/conversation-items.ts';
import { conversationWords } from '../../model/conversation-words.ts';
import type { LiveCall } from '../../queries/use-live-call.ts';
import { Instruct } from '../instruct/instruct.tsx';
import { Listen } from '../listen/listen.tsx';
import { Progress } from '../progress.tsx';
import type { Player } from './player.ts';
import { Transcript } from './transcript.tsx';
import { usePlayerKeys } from './use-player-keys.ts';
import { useShortcut } from '../../../../shared/shortcuts/shortcuts.ts';

// Includes the waveform library, so it loads only for calls with a recording.
const RecordingPlayer = lazy(async () => ({ default: (await import('./recording-player.tsx')).RecordingPlayer }));

interface ConversationProps {
  readonly accountId: string;
  readonly call: CallBody;
  readonly live: Pick<LiveCall, 'events' | 'turns'>;
}

const hasWorker = ({ status }: CallBody) => status === 'dialing' || status === 'ringing' || status === 'in_progress';

/** The recording and its transcript, kept in sync. During the call the transcript grows by itself. */
export function Conversation({ accountId, call, live }: ConversationProps) {
  const [player, setPlayer] = useState<Player | null>(null);
  const [atMs, setAtMs] = useState(0);
  const [active, setActive] = useState<number | null>(null);
  const turns = shownTurns(call, live.turns);
  const isLive = call.status !== 'ended';
  usePlayerKeys(player);
  const step = (direction: 'back' | 'forward') => {
    const index = neighboringTurn(turns, atMs, direction);
    const turn = index === null ? undefined : turns[index];
    if (turn !== undefined) player?.seek(turn.start_ms);
  };
  useShortcut(']', 'Next turn in the recording', () => step('forward'), player !== null);
  useShortcut('[', 'Previous turn in the recording', () => step('back'), player !== null);

  const hasRecording = call.recording_status === 'available';
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="conversation">
      <Stack gap="md">
        <Title order={2} size="h4" id="conversation">
          Conversation
        </Title>
        {hasRecording ? (
          <Suspense fallback={<Skeleton height={160} radius="md" />}>
            <RecordingPlayer
              id={{ accountId, callId: call.id }}
              onPlayer={setPlayer}
              onTime={(ms) => {
                // Called sixty times a second: round the time, so that most calls do not render.
                setAtMs(Math.floor(ms / 250) * 250);
                setActive(activeTurn(turns, ms));
              }}
            />
          </Suspense>
        ) : (
          call.status !== 'ended' && <Progress call={call} events={live.events} />
        )}
        {hasWorker(call) && <Listen id={{ accountId, callId: call.id }} call={call} />}
        {call.status === 'in_progress' && <Instruct id={{ accountId, callId: call.id }} call={call} />}
        {conversationWords(call).map((words) => (
          <Text key={words} size="sm" c="dimmed">
            {words}
          </Text>
        ))}
        {turns.length > 0 && (
          <Transcript
            items={conversationItems(turns, live.events, call)}
            active={isLive ? turns.length - 1 : active}
            isLive={isLive}
            onJump={player === null ? undefined : (turn) => player.playFrom(turn.start_ms)}
          />
        )}
        {call.summary !== null && (
          <Text size="sm">
            <Text span fw={600} size="sm">
              Summary:{' '}
            </Text>
            {call.summary}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
