import { Alert, Button, Stack, Text } from '@mantine/core';
import type { CampaignBody } from '@outdial/contracts';
import { IconHandStop } from '@tabler/icons-react';
import { LinkButton } from '../../../shared/components/links.tsx';
import { formatDateTime } from '../../../shared/format/times.ts';
import { useNow } from '../../../shared/hooks/use-now.ts';
import { holdAdvice, type Remedy } from '../words/hold-words.ts';

interface HoldNoticeProps {
  readonly accountId: string;
  readonly campaign: CampaignBody;
  readonly onEdit: () => void;
}

/** What keeps the campaign from calling, and what to do. Nothing while it calls. */
export function HoldNotice({ accountId, campaign, onEdit }: HoldNoticeProps) {
  const advice = holdAdvice(campaign, { nowMs: useNow(), time: formatDateTime });
  if (advice === null) return null;
  const { title, text, remedy } = advice;
  return (
    <Alert color="orange" variant="light" icon={<IconHandStop aria-hidden />} title={title} role="status">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text}</Text>
        {remedy !== null && (
          <RemedyButton accountId={accountId} agentId={campaign.agent_id} remedy={remedy} onEdit={onEdit} />
        )}
      </Stack>
    </Alert>
  );
}

interface RemedyButtonProps {
  readonly accountId: string;
  readonly agentId: string;
  readonly remedy: Remedy;
  readonly onEdit: () => void;
}

function RemedyButton({ accountId, agentId, remedy, onEdit }: RemedyButtonProps) {
  const look = { size: 'compact-sm', variant: 'default' } as const;
  switch (remedy) {
    case 'settings':
      return (
        <Button {...look} onClick={onEdit}>
          Edit settings
        </Button>
      );
    case 'wallet':
      return (
        <LinkButton to="/accounts/$accountId/wallet" params={{ accountId }} {...look}>
          Open wallet
        </LinkButton>
      );
    case 'requests':
      return (
        <LinkButton to="/accounts/$accountId/requests" params={{ accountId }} {...look}>
          Ask your operator
        </LinkButton>
      );
    case 'calling_hours':
      return (
        <LinkButton to="/accounts/$accountId/calling-hours" params={{ accountId }} {...look}>
          Open calling hours
        </LinkButton>
      );
    case 'agent':
      return (
        <LinkButton to="/accounts/$accountId/agents/$agentId" params={{ accountId, agentId }} {...look}>
          Open agent
        </LinkButton>
      );
    default:
      return remedy satisfies never;
  }
}
