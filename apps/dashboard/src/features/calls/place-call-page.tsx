import { Stack } from '@mantine/core';
import { IconRobotFace } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { agentsQuery, phoneNumbersQuery } from '../../shared/account/queries.ts';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { LinkButton } from '../../shared/components/links.tsx';
import { Page } from '../../shared/components/page.tsx';
import { PanelSkeleton } from '../../shared/components/skeletons.tsx';
import { useAccount } from '../../shared/session/account.ts';
import { serviceQuery } from '../../shared/session/service.ts';
import { startValues } from './model/placement-form.ts';
import { PlaceCallForm } from './place/place-call-form.tsx';
import { callQuery } from './queries/call-query.ts';

export function PlaceCallPage() {
  return (
    <Page title="Place a call" description="The agent calls the number. You can follow the call live.">
      <PlaceCall />
    </Page>
  );
}

/** The form, once everything it needs is loaded. */
function PlaceCall() {
  const { account_id: accountId } = useAccount();
  const {
    agent_id: agentId,
    to_number: toNumber,
    again,
  } = useSearch({
    from: '/signed-in/accounts/$accountId/calls/new',
  });
  const agents = useQuery(agentsQuery(accountId));
  const numbers = useQuery(phoneNumbersQuery(accountId));
  const service = useQuery(serviceQuery);
  const before = useQuery({ ...callQuery({ accountId, callId: again ?? '' }), enabled: again !== undefined });

  const failed = [agents, numbers, service].find(({ isError, data }) => isError && data === undefined);
  if (failed !== undefined) {
    return <ErrorNotice title="Could not load the form" error={failed.error} onRetry={() => void failed.refetch()} />;
  }
  const isWaitingForCall = again !== undefined && before.data === undefined && !before.isError;
  if (!agents.data || !numbers.data || !service.data || isWaitingForCall) return <PanelSkeleton />;
  if (agents.data.every(({ problem }) => problem !== null)) return <NoAgents accountId={accountId} />;

  const outbound = numbers.data.filter(({ active, outbound_enabled: isEnabled }) => active && isEnabled);
  const start = startValues({ agents: agents.data, numbers: outbound, agentId, toNumber, again: before.data });
  return (
    <Stack gap="lg">
      {before.isError && (
        <ErrorNotice
          title="Could not load the call to repeat. Fill in the form to place a new one"
          error={before.error}
        />
      )}
      <PlaceCallForm
        key={again ?? ''}
        accountId={accountId}
        agents={agents.data}
        numbers={outbound}
        testNumbers={service.data.test_numbers}
        start={start}
        draftName={['place-call', again ?? '', agentId ?? '', toNumber ?? ''].join(':')}
      />
    </Stack>
  );
}

function NoAgents({ accountId }: { readonly accountId: string }) {
  return (
    <EmptyState
      icon={IconRobotFace}
      title="No agents available"
      action={
        <LinkButton to="/accounts/$accountId/agents/new" params={{ accountId }}>
          Create agent
        </LinkButton>
      }
    >
      An agent conducts each call. Create one, then come back to place a call.
    </EmptyState>
  );
}
