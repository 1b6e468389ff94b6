import { Paper, Stack, Text, Title } from '@mantine/core';
import { fillTemplate, type AgentSummaryBody } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { accountQuery, agentQuery } from '../../../shared/account/queries.ts';
import { formatCount, formatMoney } from '../../../shared/format/numbers.ts';
import classes from './place.module.css';

interface CallPreviewProps {
  readonly accountId: string;
  readonly agent: AgentSummaryBody | undefined;
  readonly variables: Readonly<Record<string, string>>;
}

/** What the callee will hear first, and what the account has for the call. */
export function CallPreview({ accountId, agent, variables }: CallPreviewProps) {
  const { data: account } = useQuery(accountQuery(accountId));
  // What it says is read for the one agent that is chosen.
  const { data: chosen, isPending } = useQuery({
    ...agentQuery(accountId, agent?.id ?? ''),
    enabled: agent !== undefined,
  });
  const filled = Object.fromEntries(Object.entries(variables).filter(([, text]) => text.trim() !== ''));
  return (
    <Stack gap="lg">
      <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="first-words">
        <Title order={2} size="h4" id="first-words" mb="sm">
          First words
        </Title>
        {chosen?.settings ? (
          <Text size="sm" className={classes['words'] ?? ''}>
            {fillTemplate(chosen.settings.first_message, filled)}
          </Text>
        ) : (
          <Text size="sm" c="dimmed">
            {wordsOf(agent, isPending)}
          </Text>
        )}
      </Paper>
      {account !== undefined && (
        <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="at-hand">
          <Title order={2} size="h4" id="at-hand" mb="sm">
            At hand
          </Title>
          <dl className={classes['figures']}>
            <Text component="dt" size="sm" c="dimmed">
              Available
            </Text>
            <Text component="dd" size="sm" className="tabular">
              {formatMoney(account.wallet.available, account.wallet.currency)}
            </Text>
            <Text component="dt" size="sm" c="dimmed">
              Open calls
            </Text>
            <Text component="dd" size="sm" className="tabular">
              {formatCount(account.capacity.in_use)} of {formatCount(account.capacity.limit)}
            </Text>
          </dl>
        </Paper>
      )}
    </Stack>
  );
}

function wordsOf(agent: AgentSummaryBody | undefined, isPending: boolean): string {
  if (agent === undefined) return 'Choose an agent to read what it says when somebody answers.';
  return isPending ? 'Loading…' : 'This agent was granted to your account; what it says is its owner’s to know.';
}
