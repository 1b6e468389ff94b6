import { Alert, Stack, Text } from '@mantine/core';
import type { CallBody } from '@outdial/contracts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { LinkText } from '../../../shared/components/links.tsx';

/** Names the agent's text that failed. */
function fieldWords(field: string): string {
  const [name = '', part] = field.split('.');
  switch (name) {
    case 'first_message':
      return 'the first message';
    case 'lines':
      return `line ${Number(part) + 1}`;
    case 'menu':
      return `the reply to key ${part}`;
    case 'no_input':
      return 'the silence prompt';
    case 'closing':
      return 'the closing';
    case 'voicemail_message':
      return 'the voicemail message';
    case 'screening_reply':
      return 'the reply to call screening';
    default:
      return field;
  }
}

/** Why the agent failed, and what to do about it. */
export function FailureNotice({ accountId, call }: { readonly accountId: string; readonly call: CallBody }) {
  const { failure, agent_id: agentId } = call;
  if (failure === null) return null;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={failure.field === null ? 'The agent failed' : `The agent failed at ${fieldWords(failure.field)}`}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{failure.message}</Text>
        <LinkText
          to="/accounts/$accountId/agents/$agentId"
          params={{ accountId, agentId }}
          size="sm"
          underline="always"
        >
          Open agent
        </LinkText>
      </Stack>
    </Alert>
  );
}
