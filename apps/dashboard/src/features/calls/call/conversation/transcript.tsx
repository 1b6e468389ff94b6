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
  /** Undefined: there is nothing to jump in. */
  readonly onJump: ((turn: Turn) => void) | undefined;
}

/** What was said. The turn that is heard is marked and kept in sight, unless the reader scrolls away. */
export function Transcript({ turns, active, onJump }: TranscriptProps) {
  const { list, isFollowing, follow, onScrollByHand } = useFollowedTurn(active);
  return (
    <div className={classes['transcript']}>
      <ol
        ref={list}
        className={classes['turns']}
        onWheel={onScrollByHand}
        onTouchMove={onScrollByHand}
        aria-label="Transcript"
        // Reachable by keyboard also where no turn can be pressed.
        tabIndex={onJump === undefined ? 0 : undefined}
      >
        {turns.map((turn, index) => (
          // A transcript is written once, when the call has ended: places do not change.
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
          Follow the recording
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
            title="The other side broke in before the end"
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

/** Nothing is invented: speech that was not transcribed is shown as just that. */
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
        Spoke for {seconds} s, not transcribed
      </Text>
    );
  }
  return (
    <Text size="sm" span display="block" className={classes['words']}>
      {turn.text}
    </Text>
  );
}
