import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { NoticeBody } from '@outdial/contracts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../shared/components/error-notice.tsx';
import { LinkButton } from '../../shared/components/links.tsx';
import { notifyFailure } from '../../shared/components/notify.tsx';
import { RelativeTime } from '../../shared/components/time-text.tsx';
import { noticesQuery, useDismissNotice } from './queries.ts';

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
  const { id, endpoint_id: endpointId, url, created_at: at } = notice;
  const dismiss = useDismissNotice(accountId);
  const { title, text } = wordsOf(notice);
  const hide = () =>
    dismiss.mutate(id, { onError: (error) => notifyFailure('Could not dismiss the notice', messageOf(error)) });
  return (
    <Alert variant="light" color="orange" icon={<IconAlertTriangle aria-hidden />} title={title} role="status">
      <Stack gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {url}: {text}
        </Text>
        <Group gap="md">
          {/* A link in its own color has too little contrast on the notice's. */}
          <LinkButton
            to="/accounts/$accountId/webhooks/$endpointId"
            params={{ accountId, endpointId }}
            size="compact-sm"
            variant="default"
          >
            View endpoint
          </LinkButton>
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

function wordsOf({ kind, is_gone: isGone }: NoticeBody): { readonly title: string; readonly text: string } {
  if (kind === 'webhook_endpoint_failing') {
    return {
      title: 'A webhook endpoint is failing',
      text: 'it has not accepted anything for a day. It is disabled after five days without a success, once 20 attempts have failed.',
    };
  }
  const cause = isGone ? 'its receiver answered 410.' : 'it failed for five days, at least 20 times.';
  return {
    title: 'A webhook endpoint was disabled',
    text: `${cause} An owner can enable it again, and a replay sends what it missed.`,
  };
}
