import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { NoticeBody } from '@outdial/contracts';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../shared/components/error-notice.tsx';
import { LinkButton } from '../../shared/components/links.tsx';
import { notifyFailure } from '../../shared/components/notify.tsx';
import { RelativeTime } from '../../shared/components/time-text.tsx';
import { noticesQuery, useDismissNotice } from './queries.ts';
import { wordsOf } from './words.ts';

interface NoticesProps {
  readonly accountId: string;
}

/** What the members of the account should know, above each of its pages. Nothing while it loads or if it fails to load. */
export function Notices({ accountId }: NoticesProps) {
  const { data = [] } = useQuery(noticesQuery(accountId));
  if (data.length === 0) return null;
  return (
    <Stack gap="sm" mb="lg" component="section" aria-label="Notices">
      {data.map((notice) => (
        <Notice key={notice.id} accountId={accountId} notice={notice} />
      ))}
    </Stack>
  );
}

function Notice({ accountId, notice }: NoticesProps & { readonly notice: NoticeBody }) {
  const { id, created_at: at } = notice;
  const dismiss = useDismissNotice(accountId);
  const { title, about, text, isGood = false } = wordsOf(notice);
  const hide = () =>
    dismiss.mutate(id, { onError: (error) => notifyFailure('Could not dismiss the notice', messageOf(error)) });
  const icon = isGood ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />;
  return (
    <Alert variant="light" color={isGood ? 'green' : 'orange'} icon={icon} title={title} role="status">
      <Stack gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {about}: {text}
        </Text>
        <Group gap="md">
          <NoticeLink accountId={accountId} notice={notice} />
          <Button size="compact-sm" variant="default" onClick={hide} loading={dismiss.isPending}>
            Dismiss
          </Button>
          <Text size="xs">
            <RelativeTime at={at} />
          </Text>
        </Group>
      </Stack>
    </Alert>
  );
}

/** A link in its own color has too little contrast on the notice's. */
function NoticeLink({ accountId, notice }: NoticesProps & { readonly notice: NoticeBody }) {
  if ('campaign_id' in notice) {
    return (
      <LinkButton
        to="/accounts/$accountId/campaigns/$campaignId"
        params={{ accountId, campaignId: notice.campaign_id }}
        size="compact-sm"
        variant="default"
      >
        View campaign
      </LinkButton>
    );
  }
  return (
    <LinkButton
      to="/accounts/$accountId/webhooks/$endpointId"
      params={{ accountId, endpointId: notice.endpoint_id }}
      size="compact-sm"
      variant="default"
    >
      View endpoint
    </LinkButton>
  );
}
