import { Alert, Stack, Text } from '@mantine/core';
import type { CallBody, CallEventBody } from '@outdial/contracts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { LinkText } from '../../../shared/components/links.tsx';
import { notPermittedOf } from '../model/not-permitted.ts';

interface NotPermittedNoticeProps {
  readonly accountId: string;
  readonly call: CallBody;
  readonly events: readonly CallEventBody[];
}

const PAGES = {
  agents: { to: '/accounts/$accountId/agents', label: 'Open agents' },
  numbers: { to: '/accounts/$accountId/numbers', label: 'Open numbers' },
} as const;

/** Why a scheduled call was not permitted when its time came, and what to do about it. */
export function NotPermittedNotice({ accountId, call, events }: NotPermittedNoticeProps) {
  if (call.ended_reason !== 'not_permitted') return null;
  const { text, obstacle } = notPermittedOf(events);
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title="The call was not permitted">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text}</Text>
        {obstacle !== 'none' && (
          <LinkText to={PAGES[obstacle].to} params={{ accountId }} size="sm" underline="always">
            {PAGES[obstacle].label}
          </LinkText>
        )}
      </Stack>
    </Alert>
  );
}
