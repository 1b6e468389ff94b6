import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { LinkButton } from '../../../shared/components/links.tsx';
import type { PlacementError } from '../model/placement-error.ts';

interface PlacementErrorNoticeProps {
  readonly accountId: string;
  readonly placementError: PlacementError;
  readonly requestId: string | undefined;
  readonly isPending: boolean;
  /** Repeats the request with the same key. */
  readonly onRetry: () => void;
  /** Unlocks the form for another call, although the previous one may have been placed. */
  readonly onStartOver: () => void;
}

/** Why the call was not placed, and what to do. */
export function PlacementErrorNotice(props: PlacementErrorNoticeProps) {
  const { placementError, requestId } = props;
  const isUnknown = placementError.remedy.kind === 'retry_safely';
  return (
    <Alert
      color={isUnknown ? 'orange' : 'red'}
      variant="light"
      role="alert"
      icon={<IconAlertTriangle aria-hidden />}
      title={placementError.title}
    >
      <Stack gap="sm">
        <Text size="sm">{placementError.text}</Text>
        <Remedy {...props} />
        {requestId !== undefined && (
          <Text size="xs" c="dimmed">
            Request ID {requestId}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

/** The page where the user can remove the obstacle. */
const PAGES = {
  wallet: { to: '/accounts/$accountId/wallet', label: 'Open wallet' },
  numbers: { to: '/accounts/$accountId/numbers', label: 'Open numbers' },
  agents: { to: '/accounts/$accountId/agents', label: 'Open agents' },
  do_not_call: { to: '/accounts/$accountId/do-not-call', label: 'Open do-not-call list' },
  calling_hours: { to: '/accounts/$accountId/calling-hours', label: 'Open calling hours' },
  open_calls: { to: '/accounts/$accountId/calls', label: 'Open calls list' },
} as const;

function Remedy({ accountId, placementError: { remedy }, isPending, onRetry, onStartOver }: PlacementErrorNoticeProps) {
  switch (remedy.kind) {
    case 'none':
      return null;
    case 'wallet':
    case 'numbers':
    case 'agents':
    case 'do_not_call':
    case 'calling_hours':
    case 'open_calls':
      return (
        <Group gap="xs">
          <LinkButton to={PAGES[remedy.kind].to} params={{ accountId }} size="xs" variant="default">
            {PAGES[remedy.kind].label}
          </LinkButton>
        </Group>
      );
    case 'scheduled_calls':
      return (
        <Group gap="xs">
          <LinkButton
            to="/accounts/$accountId/calls"
            params={{ accountId }}
            search={{ status: 'scheduled' }}
            size="xs"
            variant="default"
          >
            Open scheduled calls
          </LinkButton>
        </Group>
      );
    case 'retry_safely':
      return (
        <Group gap="xs">
          <Button size="xs" onClick={onRetry} loading={isPending}>
            Retry safely
          </Button>
          {remedy.callId !== null && (
            <LinkButton
              to="/accounts/$accountId/calls/$callId"
              params={{ accountId, callId: remedy.callId }}
              size="xs"
              variant="default"
            >
              Open call
            </LinkButton>
          )}
          <Button size="xs" variant="subtle" color="gray" onClick={onStartOver}>
            Start over
          </Button>
        </Group>
      );
    default:
      return remedy satisfies never;
  }
}
