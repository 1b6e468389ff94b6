import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { CallBody, CallEventBody } from '@outdial/contracts';
import { formatMoney } from '../../../shared/format/numbers.ts';
import { formatClockTime, formatDateTime, formatExactTime } from '../../../shared/format/times.ts';
import { ENDED_REASON_WORDS } from '../../../shared/words/ended-reason.ts';
import { eventWords } from '../model/event-words.ts';
import { sipCodeWords } from '../model/sip-codes.ts';
import { formatSince } from '../model/format-since.ts';
import classes from './timeline.module.css';

interface TimelineProps {
  readonly call: CallBody;
  readonly events: readonly CallEventBody[];
}

/** The call's events, with the time since the previous one. */
export function Timeline({ call, events }: TimelineProps) {
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="timeline">
      <Title order={2} size="h4" id="timeline" mb="md">
        Timeline
      </Title>
      {events.length === 0 && (
        <Text size="sm" c="dimmed">
          Events appear here as they happen.
        </Text>
      )}
      <ol className={classes['events']} aria-live="polite" aria-relevant="additions">
        {events.map((event, index) => (
          <TimelineEntry key={event.id} call={call} event={event} before={events[index - 1]} />
        ))}
      </ol>
    </Paper>
  );
}

interface TimelineEntryProps {
  readonly call: CallBody;
  readonly event: CallEventBody;
  readonly before: CallEventBody | undefined;
}

function TimelineEntry({ call, event, before }: TimelineEntryProps) {
  const { title, detail } = eventWords(event, {
    money: (amount) => formatMoney(amount, call.currency),
    reason: (reason) => ENDED_REASON_WORDS[reason].label,
    time: formatDateTime,
    sipCode: (code) => `${code} ${sipCodeWords(code).name}`,
  });
  return (
    <li className={classes['event']} data-type={event.type}>
      <Stack gap={2}>
        <Group justify="space-between" gap="xs" wrap="nowrap" align="baseline">
          <Text size="sm" fw={550}>
            {title}
          </Text>
          <Text size="xs" c="dimmed" className={classes['time']}>
            {before !== undefined && (
              <span title="Since the previous event">
                {formatSince(Date.parse(event.at) - Date.parse(before.at))} ·{' '}
              </span>
            )}
            <time dateTime={event.at} title={formatExactTime(event.at)}>
              {isSameDay(event.at, before?.at) ? formatClockTime(event.at) : formatDateTime(event.at)}
            </time>
          </Text>
        </Group>
        {detail !== null && (
          <Text size="sm" c="dimmed">
            {detail}
          </Text>
        )}
      </Stack>
    </li>
  );
}

/** A scheduled call may wait for weeks: the time of day is enough only while the day stays the same. */
function isSameDay(at: string, before: string | undefined): boolean {
  return before === undefined || new Date(at).toDateString() === new Date(before).toDateString();
}
