import { ActionIcon, Alert, Group, SegmentedControl, Skeleton, Stack, Text, Tooltip } from '@mantine/core';
import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconRewindBackward5,
  IconRewindForward5,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type WaveSurfer from 'wavesurfer.js';
import { accountKey } from '../../../../shared/account/queries.ts';
import { ErrorNotice } from '../../../../shared/components/error-notice.tsx';
import { formatDuration } from '../../../../shared/format/numbers.ts';
import { recordingHref, type CallKey } from '../../queries/call-query.ts';
import { readPeaks, type Sound } from '../../queries/read-peaks.ts';
import type { Player } from './player.ts';
import { usePlayer } from './use-player.ts';
import { VoiceLegend } from './voice-legend.tsx';
import { Waveform } from './waveform.tsx';

const SEGMENTS = 1_200;
const RATES = ['0.75', '1', '1.25', '1.5', '2'];
const SKIP_MS = 5_000;

interface Listeners {
  readonly onPlayer: (player: Player | null) => void;
  readonly onTime: (ms: number) => void;
}

export function RecordingPlayer({ id, onPlayer, onTime }: Listeners & { readonly id: CallKey }) {
  const href = recordingHref(id);
  const { data, error, refetch } = useQuery({
    queryKey: [...accountKey(id.accountId), 'recordings', id.callId],
    queryFn: ({ signal }) => readPeaks(href, SEGMENTS, signal),
    staleTime: Infinity,
  });
  if (error !== null) {
    return <ErrorNotice title="Could not load the recording" error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton height={160} radius="md" aria-label="Loading recording" role="status" />;
  return <LoadedPlayer href={href} sound={data} onPlayer={onPlayer} onTime={onTime} />;
}

interface LoadedPlayerProps extends Listeners {
  readonly href: string;
  readonly sound: Sound;
}

function LoadedPlayer({ href, sound, onPlayer, onTime }: LoadedPlayerProps) {
  const [surfer, setSurfer] = useState<WaveSurfer | null>(null);
  const [isPlaying, setIsPlaying] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const [rate, setRate] = useState('1');
  const player = usePlayer(surfer, onPlayer);

  return (
    <Stack gap="sm">
      <VoiceLegend />
      <Waveform
        href={href}
        peaks={sound.peaks}
        rate={Number(rate)}
        onSurfer={setSurfer}
        onTime={(ms) => {
          setSeconds(Math.floor(ms / 1_000));
          onTime(ms);
        }}
        onPlaying={setIsPlaying}
        onFailure={() => setHasFailed(true)}
      />
      {!sound.isDrawn && (
        <Text size="xs" c="dimmed">
          This recording is too long to show its waveform. You can still play it.
        </Text>
      )}
      {hasFailed && (
        <Alert color="red" variant="light" role="alert">
          Could not play the recording. Reload the page. If it still fails, the recording may have been deleted.
        </Alert>
      )}
      <Group justify="space-between" gap="sm">
        <Group gap="xs">
          <Step label="Back 5 seconds (left arrow)" onClick={() => player?.skip(-SKIP_MS)}>
            <IconRewindBackward5 size={18} aria-hidden />
          </Step>
          <Tooltip label={isPlaying ? 'Pause (space)' : 'Play (space)'} withArrow>
            <ActionIcon
              size="xl"
              radius="xl"
              variant="filled"
              aria-label={isPlaying ? 'Pause' : 'Play'}
              onClick={() => player?.toggle()}
            >
              {isPlaying ? (
                <IconPlayerPauseFilled size={20} aria-hidden />
              ) : (
                <IconPlayerPlayFilled size={20} aria-hidden />
              )}
            </ActionIcon>
          </Tooltip>
          <Step label="Forward 5 seconds (right arrow)" onClick={() => player?.skip(SKIP_MS)}>
            <IconRewindForward5 size={18} aria-hidden />
          </Step>
          <Text size="sm" className="tabular" aria-label="Position">
            {formatDuration(seconds)} / {formatDuration(sound.peaks.durationSeconds)}
          </Text>
        </Group>
        <SegmentedControl
          size="xs"
          aria-label="Speed"
          value={rate}
          onChange={setRate}
          data={RATES.map((value) => ({ value, label: `${value}×` }))}
        />
      </Group>
    </Stack>
  );
}

interface StepProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Step({ label, onClick, children }: StepProps) {
  return (
    <Tooltip label={label} withArrow>
      <ActionIcon size="lg" variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
