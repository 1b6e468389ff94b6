import { Grid, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { callIdSchema, type CallBody } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { agentsQuery } from '../../shared/account/queries.ts';
import { ApiError } from '../../shared/api/api-error.ts';
import { CallStatusBadge, EndedReasonBadge } from '../../shared/components/call-status-badge.tsx';
import { LinkText } from '../../shared/components/links.tsx';
import { ListedNumberNotice } from '../../shared/components/listed-number-notice.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { Page } from '../../shared/components/page.tsx';
import { PanelSkeleton } from '../../shared/components/skeletons.tsx';
import { formatPhoneNumber } from '../../shared/format/numbers.ts';
import { formatDateTime } from '../../shared/format/times.ts';
import { useNow } from '../../shared/hooks/use-now.ts';
import { useAccount } from '../../shared/session/account.ts';
import { CALL_STATUS_WORDS } from '../../shared/words/call-status.ts';
import { ENDED_REASON_WORDS } from '../../shared/words/ended-reason.ts';
import { CallDuration } from './call-duration.tsx';
import { CallActions, type CallActionsProps } from './call/call-actions.tsx';
import { Analysis } from './call/analysis.tsx';
import { Conversation } from './call/conversation/conversation.tsx';
import { Cost } from './call/cost.tsx';
import { Facts } from './call/facts.tsx';
import { FailureNotice } from './call/failure-notice.tsx';
import { Inputs } from './call/inputs.tsx';
import { CallNotFound } from './call/call-not-found.tsx';
import { NotPermittedNotice } from './call/not-permitted-notice.tsx';
import { RawJson } from './call/raw-json.tsx';
import { ReviewNote } from './call/review-note.tsx';
import { Schedule } from './call/schedule.tsx';
import { Timeline } from './call/timeline.tsx';
import { WebhookDeliveries } from './call/webhook-deliveries.tsx';
import { waitingUntil } from './model/event-words.ts';
import { waitingSentence } from './model/schedule-words.ts';
import type { CallKey } from './queries/call-query.ts';
import { useNumberCheck } from './queries/opt-out.ts';
import { useLiveCall, type LiveCall } from './queries/use-live-call.ts';

export function CallPage() {
  const { account_id: accountId } = useAccount();
  const { callId } = useParams({ from: '/signed-in/accounts/$accountId/calls/$callId' });
  // Not a valid id: skip the request.
  if (!callIdSchema.safeParse(callId).success) return <CallNotFound accountId={accountId} />;
  return <ExistingCall id={{ accountId, callId }} />;
}

function ExistingCall({ id }: { readonly id: CallKey }) {
  const live = useLiveCall(id);
  const { error, data } = live.query;
  const check = useNumberCheck(id, data, live.events);
  if (error instanceof ApiError && error.status === 404) return <CallNotFound accountId={id.accountId} />;
  const title = data === undefined ? 'Call' : formatPhoneNumber(data.callee_number);
  return (
    <Stack gap="xs">
      <LinkText to="/accounts/$accountId/calls" params={{ accountId: id.accountId }} size="sm">
        <Group gap={4} component="span" w="fit-content">
          <IconArrowLeft size={14} aria-hidden />
          Calls
        </Group>
      </LinkText>
      <Page
        title={title}
        description={data === undefined ? undefined : <StatusLine call={data} events={live.events} />}
        actions={data === undefined ? undefined : <CallActions id={id} call={data} check={check} />}
      >
        <Loaded query={live.query} what="the call" skeleton={<PanelSkeleton lines={8} />}>
          {(call) => <CallParts id={id} call={call} live={live} check={check} />}
        </Loaded>
      </Page>
    </Stack>
  );
}

/** The call's status or outcome, its duration and a sentence. Screen readers announce changes. */
function StatusLine({ call, events }: Pick<LiveCall, 'events'> & { readonly call: CallBody }) {
  const { ended_reason: reason, status } = call;
  const nowMs = useNow();
  const { label, meaning } = reason === null ? CALL_STATUS_WORDS[status] : ENDED_REASON_WORDS[reason];
  const words =
    status === 'scheduled'
      ? waitingSentence(call, { nowMs, until: waitingUntil(events, call.waiting_for), time: formatDateTime })
      : meaning;
  return (
    <Group gap="sm" component="span" mt={4}>
      {reason === null ? <CallStatusBadge status={status} /> : <EndedReasonBadge reason={reason} />}
      <Text span size="sm" c="var(--mantine-color-text)" fw={550}>
        <CallDuration call={call} />
      </Text>
      <Text span size="sm">
        {words}
      </Text>
      <VisuallyHidden aria-live="polite">{`${label}. ${words}`}</VisuallyHidden>
    </Group>
  );
}

interface CallPartsProps extends CallActionsProps {
  readonly live: LiveCall;
}

function CallParts({ id, call, live, check }: CallPartsProps) {
  const agents = useQuery(agentsQuery(id.accountId));
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7.5 }}>
        <Stack gap="lg">
          <ListedNumberNotice check={check} />
          <FailureNotice accountId={id.accountId} call={call} />
          <NotPermittedNotice accountId={id.accountId} call={call} events={live.events} />
          <Schedule accountId={id.accountId} call={call} events={live.events} />
          <Conversation accountId={id.accountId} call={call} live={live} />
          <Analysis call={call} events={live.events} />
          <ReviewNote id={id} call={call} />
          <RawJson call={call} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4.5 }}>
        <Stack gap="lg">
          <Timeline call={call} events={live.events} />
          <Facts accountId={id.accountId} call={call} agents={agents.data} />
          <Cost call={call} />
          <Inputs call={call} />
          <WebhookDeliveries id={id} />
        </Stack>
      </Grid.Col>
    </Grid>
  );
}
