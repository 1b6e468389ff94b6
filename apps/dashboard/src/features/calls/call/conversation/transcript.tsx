import { Badge, Button, Group, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconDialpad, IconScissors, IconTool } from '@tabler/icons-react';
import type { CallEventBody, Turn } from '@outdial/contracts';
import { formatDuration } from '../../../../shared/format/numbers.ts';
import type { ConversationItem } from '../../model/conversation-items.ts';
import { toolWords } from '../../model/event-words.ts';
import { VOICE_WORDS } from './player.ts';
import { useFollowedTurn } from './use-followed-turn.ts';
import classes from './conversation.module.css';

interface TranscriptProps {
  readonly items: readonly ConversationItem[];
  /** Which turn is being heard, or was spoken last. */
  readonly active: number | null;
  /** The call has not ended: turns are added as they are spoken. */
  readonly isLive: boolean;
  /** Undefined: there is no recording to jump in. */
  readonly onJump: ((turn: Turn) => void) | undefined;
}

/** The transcript. The current turn is highlighted and kept in view, unless the user scrolls away. */
export function Transcript({ items, active, isLive, onJump }: TranscriptProps) {
  const turns = items.filter(({ kind }) => kind === 'turn');
  const activeKey = active === null ? undefined : turns[active]?.key;
  const position = items.findIndex(({ key }) => key === activeKey);
  const { list, isFollowing, follow, onUserScroll } = useFollowedTurn(position === -1 ? null : position);
  return (
    <div className={classes['transcript']}>
      <ol
        ref={list}
        className={classes['turns']}
        onWheel={onUserScroll}
        onTouchMove={onUserScroll}
        aria-label="Transcript"
        // Screen readers announce each turn once, when it is added.
        aria-live={isLive ? 'polite' : undefined}
        aria-relevant={isLive ? 'additions' : undefined}
        // Reachable by keyboard even if no turn is clickable.
        tabIndex={onJump === undefined ? 0 : undefined}
      >
        {items.map((item) =>
          item.kind === 'turn' ? (
            <li key={item.key} data-role={item.turn.role} className={classes['turn']}>
              <TurnRow
                turn={item.turn}
                answerMs={item.answerMs}
                waitedFor={item.waitedFor}
                isActive={!isLive && item.key === activeKey}
                onJump={onJump}
              />
            </li>
          ) : (
            <li key={item.key} data-role="tool" className={classes['turn']}>
              <ToolRow event={item.event} atMs={item.atMs} />
            </li>
          ),
        )}
      </ol>
      {!isFollowing && active !== null && (
        <Button
          size="xs"
          radius="xl"
          className={classes['follow']}
          leftSection={<IconArrowDown size={14} aria-hidden />}
          onClick={follow}
        >
          {isLive ? 'Latest turn' : 'Follow recording'}
        </Button>
      )}
    </div>
  );
}

function ToolRow({ event, atMs }: { readonly event: CallEventBody; readonly atMs: number }) {
  const { title, detail } = toolWords(event);
  return (
    <Group gap={6} className={classes['tool']} align="baseline">
      <IconTool size={13} className={classes['key']} aria-hidden />
      <Text size="xs" span>
        {title}
      </Text>
      <Text size="xs" c="dimmed" span>
        {[formatDuration(atMs / 1_000), detail].filter(Boolean).join(' · ')}
      </Text>
    </Group>
  );
}

interface TurnRowProps {
  readonly turn: Turn;
  readonly answerMs: number | null;
  readonly waitedFor: readonly string[];
  readonly isActive: boolean;
  readonly onJump: ((turn: Turn) => void) | undefined;
}

function TurnRow({ turn, answerMs, waitedFor, isActive, onJump }: TurnRowProps) {
  const content = (
    <>
      <Group gap="xs" component="span">
        <Text size="xs" fw={600} span>
          {VOICE_WORDS[turn.role]}
        </Text>
        <Text size="xs" c="dimmed" span className="tabular">
          {formatDuration(turn.start_ms / 1_000)}
        </Text>
        {answerMs !== null && (
          <Text size="xs" c="dimmed" span className="tabular">
            after {(answerMs / 1_000).toFixed(1)} s{waitedFor.length > 0 && ` (${waitedFor.join(', ')})`}
          </Text>
        )}
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
