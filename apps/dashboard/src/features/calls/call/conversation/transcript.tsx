import { Badge, Button, Group, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconDialpad, IconScissors } from '@tabler/icons-react';
import type { Turn } from '@outdial/contracts';
import { formatDuration } from '../../../../shared/format/numbers.ts';
import { VOICE_WORDS } from './player.ts';
import { useFollowedTurn } from './use-followed-turn.ts';
import classes from './conversation.module.css';

interface TranscriptProps {
  readonly turns: readonly Turn[];
  readonly active: number | null;
  /** Undefined: there is no recording to jump in. */
  readonly onJump: ((turn: Turn) => void) | undefined;
}

/** The transcript. The current turn is highlighted and kept in view, unless the user scrolls away. */
export function Transcript({ turns, active, onJump }: TranscriptProps) {
  const { list, isFollowing, follow, onUserScroll } = useFollowedTurn(active);
  return (
    <div className={classes['transcript']}>
      <ol
        ref={list}
        className={classes['turns']}
        onWheel={onUserScroll}
        onTouchMove={onUserScroll}
        aria-label="Transcript"
        // Reachable by keyboard even if no turn is clickable.
        tabIndex={onJump === undefined ? 0 : undefined}
      >
        {turns.map((turn, index) => (
          // The transcript is final once the call has ended, so indexes do not change.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} data-role={turn.role} className={classes['turn']}>
            <TurnRow turn={turn} isActive={index === active} onJump={onJump} />
          </li>
        ))}
      </ol>
      {!isFollowing && active !== null && (
        <Button
          size="xs"
          radius="xl"
          className={classes['follow']}
          leftSection={<IconArrowDown size={14} aria-hidden />}
          onClick={follow}
        >
          Follow recording
        </Button>
      )}
    </div>
  );
}

interface TurnRowProps {
  readonly turn: Turn;
  readonly isActive: boolean;
  readonly onJump: ((turn: Turn) => void) | undefined;
}

function TurnRow({ turn, isActive, onJump }: TurnRowProps) {
  const content = (
    <>
      <Group gap="xs" component="span">
        <Text size="xs" fw={600} span>
          {VOICE_WORDS[turn.role]}
        </Text>
        <Text size="xs" c="dimmed" span className="tabular">
          {formatDuration(turn.start_ms / 1_000)}
        </Text>
        {turn.interrupted && (
          <Badge
            size="sm"
            variant="light"
            color="orange"
            radius="sm"
            tt="none"
            fw={500}
            leftSection={<IconScissors size={11} aria-hidden />}
            title="The other side interrupted"
          >
            Interrupted
          </Badge>
        )}
      </Group>
      <Words turn={turn} />
    </>
  );
  if (onJump === undefined) {
    return (
      <div className={classes['bubble']} data-active={isActive || undefined}>
        {content}
      </div>
    );
  }
  return (
    <UnstyledButton
      className={classes['bubble']}
      data-active={isActive || undefined}
      aria-current={isActive ? 'true' : undefined}
      onClick={() => onJump(turn)}
    >
      {content}
    </UnstyledButton>
  );
}

/** Speech without a transcription is shown as such. */
function Words({ turn }: { readonly turn: Turn }) {
  if (turn.source === 'dtmf') {
    return (
      <Text size="sm" span display="block">
        <IconDialpad size={14} className={classes['key']} aria-hidden /> Pressed {turn.text ?? 'a key'}
      </Text>
    );
  }
  if (turn.text === null) {
    const seconds = Math.max(0.1, (turn.end_ms - turn.start_ms) / 1_000).toFixed(1);
    return (
      <Text size="sm" c="dimmed" fs="italic" span display="block">
        Spoke for {seconds} s (not transcribed)
      </Text>
    );
  }
  return (
    <Text size="sm" span display="block" className={classes['words']}>
      {turn.text}
    </Text>
  );
}
