import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
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

function Remedy({ accountId, placementError: { remedy }, isPending, onRetry, onStartOver }: PlacementErrorNoticeProps) {
  const params = { accountId };
  switch (remedy.kind) {
    case 'none':
      return null;
    case 'wallet':
      return (
        <Actions>
          <LinkButton to="/accounts/$accountId/wallet" params={params} size="xs" variant="default">
            Open wallet
          </LinkButton>
        </Actions>
      );
    case 'numbers':
      return (
        <Actions>
          <LinkButton to="/accounts/$accountId/numbers" params={params} size="xs" variant="default">
            Open numbers
          </LinkButton>
        </Actions>
      );
    case 'agents':
      return (
        <Actions>
          <LinkButton to="/accounts/$accountId/agents" params={params} size="xs" variant="default">
            Open agents
          </LinkButton>
        </Actions>
      );
    case 'open_calls':
      return (
        <Actions>
          <LinkButton to="/accounts/$accountId/calls" params={params} size="xs" variant="default">
            Open calls list
          </LinkButton>
        </Actions>
      );
    case 'retry_safely':
      return (
        <Actions>
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
        </Actions>
      );
    default:
      return remedy satisfies never;
  }
}

const Actions = ({ children }: { readonly children: ReactNode }) => <Group gap="xs">{children}</Group>;
