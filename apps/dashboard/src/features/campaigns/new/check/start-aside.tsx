import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import type { AccountBody, AgentSummaryBody, CampaignBody } from '@outdial/contracts';
import { IconPlayerPlay } from '@tabler/icons-react';
import { ErrorNotice } from '../../../../shared/components/error-notice.tsx';
import { LinkText } from '../../../../shared/components/links.tsx';
import { formatMoney } from '../../../../shared/format/numbers.ts';
import { useNow } from '../../../../shared/hooks/use-now.ts';
import classes from '../new-campaign.module.css';
import { PlanText } from '../plan-text.tsx';
import { useStartCampaign } from '../queries.ts';

interface StartAsideProps {
  readonly account: AccountBody;
  readonly campaign: CampaignBody;
  readonly agent: AgentSummaryBody | undefined;
  readonly isSending: boolean;
  readonly onStarted: (campaign: CampaignBody) => void;
}

/** What will happen, and the button that makes it happen. */
export function StartAside({ account, campaign, agent, isSending, onStarted }: StartAsideProps) {
  const nowMs = useNow();
  const start = useStartCampaign(account.id);
  const { contacts } = campaign.progress;
  const { available, currency } = account.wallet;
  const isLater = campaign.starts_at !== null && Date.parse(campaign.starts_at) > nowMs;
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="start" className={classes['aside'] ?? ''}>
      <Stack gap="sm">
        <Title order={2} size="h4" id="start">
          What will happen
        </Title>
        {contacts === 0 ? (
          <Text size="sm">Nothing yet: the campaign has no contacts.</Text>
        ) : (
          agent !== undefined && (
            <PlanText settings={campaign} agent={agent} contacts={contacts} currency={currency} nowMs={nowMs} />
          )
        )}
        {available <= 0 && (
          <Text size="sm" c="var(--mantine-color-error)">
            Your available balance is {formatMoney(available, currency)}: no call begins before a{' '}
            <LinkText to="/accounts/$accountId/wallet" params={{ accountId: account.id }} size="sm" underline="always">
              top-up
            </LinkText>
            .
          </Text>
        )}
        {start.isError && <ErrorNotice title="Could not start the campaign" error={start.error} />}
        <Button
          onClick={() => start.mutate(campaign.id, { onSuccess: onStarted })}
          loading={start.isPending}
          disabled={isSending || contacts === 0}
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          fullWidth
        >
          {isLater ? 'Schedule campaign' : 'Start campaign'}
        </Button>
        <Text size="xs" c="dimmed">
          {isSending
            ? 'It can be started once the file has come.'
            : 'The draft is saved: you can leave this page, and start it later.'}
        </Text>
      </Stack>
    </Paper>
  );
}
