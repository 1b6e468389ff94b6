import { Paper, Stack, Text, Title } from '@mantine/core';
import type { AgentBody } from '@outdial/contracts';
import { TryConversation } from './try-conversation.tsx';
import { TryStart } from './try-start.tsx';
import { useTry } from './use-try.ts';

interface TryPanelProps {
  readonly accountId: string;
  readonly agent: AgentBody;
}

/** A conversation in text with a saved version of the agent. */
export function TryPanel({ accountId, agent }: TryPanelProps) {
  return (
    <Stack gap="sm" component="section" aria-label="Try as text">
      <Title order={2} size="h4">
        Try as text
      </Title>
      {agent.driver === 'realtime' || agent.driver === 'cascade' ? (
        <Conversation accountId={accountId} agent={agent} />
      ) : (
        <Text size="sm" c="dimmed">
          A scripted agent listens to sound alone, so it cannot be tried as text. Place a test call to hear it.
        </Text>
      )}
    </Stack>
  );
}

function Conversation({ accountId, agent }: TryPanelProps) {
  const conversation = useTry(accountId, agent.id);
  const { current, isLive } = conversation;
  return (
    <>
      <Text size="sm" c="dimmed">
        {agent.driver === 'realtime'
          ? 'You type as the callee, and the realtime model answers in text.'
          : 'You type as the callee, and the language model answers; speech recognition and voice are not used.'}{' '}
        No telephone rings. HTTP tools really run, and the wallet pays for the model.
      </Text>
      <Paper withBorder radius="lg" p="lg">
        <Stack gap="md">
          {current !== null && <TryConversation conversation={conversation} current={current} />}
          {!isLive && <TryStart accountId={accountId} agent={agent} start={conversation.start} />}
        </Stack>
      </Paper>
    </>
  );
}
