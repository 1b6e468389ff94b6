import { Paper, Text, Title } from '@mantine/core';
import type { AgentSummaryBody, CallBody } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { campaignQuery } from '../../../shared/account/campaigns.ts';
import { LinkText } from '../../../shared/components/links.tsx';
import { DateTime } from '../../../shared/components/time-text.tsx';
import { formatPhoneNumber, formatSpan } from '../../../shared/format/numbers.ts';
import { ANSWERED_BY_WORDS } from '../../../shared/words/call-status.ts';
import { sipCodeWords } from '../model/sip-codes.ts';
import { Fact } from './fact.tsx';
import classes from './facts.module.css';

interface FactsProps {
  readonly accountId: string;
  readonly call: CallBody;
  /** Undefined: not loaded yet. */
  readonly agents: readonly AgentSummaryBody[] | undefined;
}

export function Facts({ accountId, call, agents }: FactsProps) {
  const agent = agents?.find(({ id }) => id === call.agent_id);
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="details">
      <Title order={2} size="h4" id="details" mb="md">
        Details
      </Title>
      <dl className={classes['facts']}>
        <Fact name="Agent">
          {agent === undefined ? (
            agents && 'Unavailable agent'
          ) : (
            <LinkText
              to="/accounts/$accountId/agents/$agentId"
              params={{ accountId, agentId: agent.id }}
              size="sm"
              className={classes['text'] ?? ''}
            >
              {agent.name}
            </LinkText>
          )}
        </Fact>
        {call.campaign_id !== null && (
          <Fact name="Campaign">
            <CampaignLink accountId={accountId} campaignId={call.campaign_id} />
          </Fact>
        )}
        <Fact name="Agent version">{call.agent_version}</Fact>
        <Fact name="From">{formatPhoneNumber(call.caller_number)}</Fact>
        <Fact name="Answered by">
          {call.answered_by === null ? notYet(call, 'Not answered') : ANSWERED_BY_WORDS[call.answered_by]}
        </Fact>
        <Fact name="Created">
          <DateTime at={call.created_at} />
        </Fact>
        {call.latency !== null && (
          <Fact name="Time to answer">
            {secondsOf(call.latency.p50_ms)}
            <Text size="xs" c="dimmed" span display="block">
              for half of the answers; {secondsOf(call.latency.p95_ms)} for 95 of 100
            </Text>
          </Fact>
        )}
        <Fact name="Billed time">{call.status === 'ended' ? formatSpan(call.billable_seconds) : 'Not yet'}</Fact>
        <Fact name="SIP response">
          <SipCode code={call.sip_code} call={call} />
        </Fact>
        <Fact name="Ring timeout">{formatSpan(call.limits.ring_timeout_seconds)}</Fact>
        <Fact name="Max duration">{formatSpan(call.limits.max_duration_seconds)}</Fact>
      </dl>
    </Paper>
  );
}

interface CampaignLinkProps {
  readonly accountId: string;
  readonly campaignId: string;
}

function CampaignLink({ accountId, campaignId }: CampaignLinkProps) {
  const campaign = useQuery(campaignQuery({ accountId, campaignId })).data;
  return (
    <LinkText
      to="/accounts/$accountId/campaigns/$campaignId"
      params={{ accountId, campaignId }}
      size="sm"
      className={classes['text'] ?? ''}
    >
      {campaign?.name ?? 'View campaign'}
    </LinkText>
  );
}

const secondsOf = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

const notYet = (call: CallBody, never: string) => (call.status === 'ended' ? never : 'Not yet');

function SipCode({ code, call }: { readonly code: number | null; readonly call: CallBody }) {
  if (code === null) return notYet(call, 'None');
  const { name, meaning } = sipCodeWords(code);
  return (
    <>
      {code} {name}
      <Text size="xs" c="dimmed" span display="block">
        {meaning}
      </Text>
    </>
  );
}
