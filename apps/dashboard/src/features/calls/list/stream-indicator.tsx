import { Group, Text, Tooltip } from '@mantine/core';
import type { StreamState } from '../../../shared/events/follow-events.ts';
import classes from './stream-indicator.module.css';

const WORDS: Readonly<Record<StreamState, { readonly label: string; readonly hint: string }>> = {
  connecting: { label: 'Connecting', hint: 'Connecting to live updates.' },
  live: { label: 'Live', hint: 'Calls update in real time.' },
  waiting: {
    label: 'Reconnecting',
    hint: 'The connection was lost and is being restored. Data may be out of date.',
  },
  over: { label: 'Disconnected', hint: 'Live updates stopped. Reload the page to resume.' },
};

/** Shows whether the page receives live updates. */
export function StreamIndicator({ state }: { readonly state: StreamState }) {
  const { label, hint } = WORDS[state];
  return (
    <Tooltip label={hint} multiline maw={260} withArrow>
      <Group
        gap={7}
        wrap="nowrap"
        role="status"
        aria-label={`${label}. ${hint}`}
        tabIndex={0}
        className={classes['state']}
      >
        <span className={classes['dot']} data-state={state} aria-hidden />
        <Text size="xs" c="dimmed" span aria-hidden>
          {label}
        </Text>
      </Group>
    </Tooltip>
  );
}
