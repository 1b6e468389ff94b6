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

/** The agent's first message, and the account's balance and limits. */
export function CallPreview({ accountId, agent, variables }: CallPreviewProps) {
  const { data: account } = useQuery(accountQuery(accountId));
  // The list of agents has no scripts: load the chosen agent's.
  const { data: chosen, isPending } = useQuery({
    ...agentQuery(accountId, agent?.id ?? ''),
    enabled: agent !== undefined,
  });
  const filled = Object.fromEntries(Object.entries(variables).filter(([, text]) => text.trim() !== ''));
  return (
    <Stack gap="lg">
      <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="first-message">
        <Title order={2} size="h4" id="first-message" mb="sm">
          First message
        </Title>
        {chosen?.settings ? (
          <Text size="sm" className={classes['words'] ?? ''}>
            {fillTemplate(chosen.settings.first_message ?? 'The model finds its own first words.', filled)}
          </Text>
        ) : (
          <Text size="sm" c="dimmed">
            {wordsOf(agent, isPending)}
          </Text>
        )}
      </Paper>
      {account !== undefined && (
        <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="balance-and-limits">
          <Title order={2} size="h4" id="balance-and-limits" mb="sm">
            Balance and limits
          </Title>
          <dl className={classes['figures']}>
            <Text component="dt" size="sm" c="dimmed">
              Available balance
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
  if (agent === undefined) return 'Choose an agent to preview its first message.';
  return isPending ? 'Loading…' : 'This agent is shared by another account, so its script is private.';
}
