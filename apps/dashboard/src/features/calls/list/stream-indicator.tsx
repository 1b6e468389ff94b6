import { Group, Text, Tooltip } from '@mantine/core';
import type { StreamState } from '../../../shared/events/follow-events.ts';
import classes from './stream-indicator.module.css';

const WORDS: Readonly<Record<StreamState, { readonly label: string; readonly hint: string }>> = {
  connecting: { label: 'Connecting', hint: 'The list is about to follow calls as they go on.' },
  live: { label: 'Live', hint: 'Calls are shown as they go on.' },
  waiting: {
    label: 'Reconnecting',
    hint: 'The connection is gone and is made again by itself. What you see may be old.',
  },
  over: { label: 'Not live', hint: 'The service ended the connection. Reload the page to follow calls again.' },
};

/** Whether the page follows what happens, without drawing attention while it does. */
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
