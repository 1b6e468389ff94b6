import { Paper, Stack, Text, Title } from '@mantine/core';
import type { CallBody, CallEventBody } from '@outdial/contracts';
import { LinkText } from '../../../shared/components/links.tsx';
import { DateTime } from '../../../shared/components/time-text.tsx';
import { formatDateTime } from '../../../shared/format/times.ts';
import { zoneWords } from '../../../shared/format/zone.ts';
import { useNow } from '../../../shared/hooks/use-now.ts';
import { Fact } from './fact.tsx';
import { waitingUntil } from '../model/event-words.ts';
import { hasSchedule, scheduleSentences } from '../model/schedule-words.ts';
import classes from './facts.module.css';

interface ScheduleProps {
  readonly accountId: string;
  readonly call: CallBody;
  readonly events: readonly CallEventBody[];
}

/** When the call is due, what it waits for, and its place among the attempts. Nothing for a call without a schedule. */
export function Schedule({ accountId, call, events }: ScheduleProps) {
  if (!hasSchedule(call)) return null;
  const { scheduled_for: at, expires_at: end, retry_of: before, next_call_id: next } = call;
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="schedule">
      <Stack gap="md">
        <Title order={2} size="h4" id="schedule">
          Schedule
        </Title>
        {call.status === 'scheduled' && <Waiting accountId={accountId} call={call} events={events} />}
        {next !== null && <Text size="sm">The call is tried again.</Text>}
        <dl className={classes['facts']}>
          {at !== null && (
            <Fact name="Scheduled for">
              <DateTime at={at} /> ({zoneWords(new Date(at))})
            </Fact>
          )}
          {end !== null && (
            <Fact name="Gives up">
              <DateTime at={end} /> ({zoneWords(new Date(end))})
            </Fact>
          )}
          <Fact name="Attempt">{call.attempt}</Fact>
          {before !== null && (
            <Fact name="Retry of">
              <CallLink accountId={accountId} callId={before} words="Previous call" />
            </Fact>
          )}
          {next !== null && (
            <Fact name="Tried again by">
              <CallLink accountId={accountId} callId={next} words="Next call" />
            </Fact>
          )}
        </dl>
      </Stack>
    </Paper>
  );
}

function Waiting({ accountId, call, events }: ScheduleProps) {
  const until = waitingUntil(events, call.waiting_for);
  const sentences = scheduleSentences(call, { nowMs: useNow(), until, time: formatDateTime });
  return (
    <Text size="sm">
      {sentences.join(' ')}
      {call.waiting_for === 'funds' && (
        <>
          {' '}
          <LinkText to="/accounts/$accountId/wallet" params={{ accountId }} size="sm" underline="always">
            Open wallet
          </LinkText>
        </>
      )}
      {(call.waiting_for === 'window' || call.waiting_for === 'cap') && (
        <>
          {' '}
          <LinkText to="/accounts/$accountId/calling-hours" params={{ accountId }} size="sm" underline="always">
            Open calling hours
          </LinkText>
        </>
      )}
    </Text>
  );
}

interface CallLinkProps {
  readonly accountId: string;
  readonly callId: string;
  readonly words: string;
}

function CallLink({ accountId, callId, words }: CallLinkProps) {
  return (
    <LinkText to="/accounts/$accountId/calls/$callId" params={{ accountId, callId }} size="sm">
      {words}
    </LinkText>
  );
}
