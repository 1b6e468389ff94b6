import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { LinkButton } from '../../../shared/components/links.tsx';
import type { Refusal } from '../model/refusal-words.ts';

interface RefusalNoticeProps {
  readonly accountId: string;
  readonly refusal: Refusal;
  readonly requestId: string | undefined;
  readonly isPending: boolean;
  /** The same request under the same key. */
  readonly onAskAgain: () => void;
  /** To another call, though the one before may have been placed. */
  readonly onGiveUp: () => void;
}

/** Why the call was not placed, and the way on. */
export function RefusalNotice(props: RefusalNoticeProps) {
  const { refusal, requestId } = props;
  const isUnknown = refusal.remedy.kind === 'ask_again';
  return (
    <Alert
      color={isUnknown ? 'orange' : 'red'}
      variant="light"
      role="alert"
      icon={<IconAlertTriangle aria-hidden />}
      title={refusal.title}
    >
      <Stack gap="sm">
        <Text size="sm">{refusal.text}</Text>
        <Remedy {...props} />
        {requestId !== undefined && (
          <Text size="xs" c="dimmed">
            Request {requestId}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

function Remedy({ accountId, refusal: { remedy }, isPending, onAskAgain, onGiveUp }: RefusalNoticeProps) {
  const params = { accountId };
  switch (remedy.kind) {
    case 'none':
      return null;
    case 'wallet':
      return (
        <Way>
          <LinkButton to="/accounts/$accountId/wallet" params={params} size="xs" variant="default">
            To the wallet
          </LinkButton>
        </Way>
      );
    case 'numbers':
      return (
        <Way>
          <LinkButton to="/accounts/$accountId/numbers" params={params} size="xs" variant="default">
            To the numbers
          </LinkButton>
        </Way>
      );
    case 'agents':
      return (
        <Way>
          <LinkButton to="/accounts/$accountId/agents" params={params} size="xs" variant="default">
            To the agents
          </LinkButton>
        </Way>
      );
    case 'open_calls':
      return (
        <Way>
          <LinkButton to="/accounts/$accountId/calls" params={params} size="xs" variant="default">
            To the calls
          </LinkButton>
        </Way>
      );
    case 'ask_again':
      return (
        <Way>
          <Button size="xs" onClick={onAskAgain} loading={isPending}>
            Ask again
          </Button>
          {remedy.callId !== null && (
            <LinkButton
              to="/accounts/$accountId/calls/$callId"
              params={{ accountId, callId: remedy.callId }}
              size="xs"
              variant="default"
            >
              Look for the call
            </LinkButton>
          )}
          <Button size="xs" variant="subtle" color="gray" onClick={onGiveUp}>
            Fill the form in anew
          </Button>
        </Way>
      );
    default:
      return remedy satisfies never;
  }
}

const Way = ({ children }: { readonly children: ReactNode }) => <Group gap="xs">{children}</Group>;
