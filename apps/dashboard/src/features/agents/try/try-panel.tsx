import { Paper, Stack, Text, Title } from '@mantine/core';
import type { AgentBody, CreateTryBody, TryMedium } from '@outdial/contracts';
import { MicrophoneNotice } from './microphone/microphone-controls.tsx';
import { useMicrophone } from './microphone/use-microphone.ts';
import { TryConversation } from './try-conversation.tsx';
import { TryStart } from './try-start.tsx';
import { useTry } from './use-try.ts';

interface TryPanelProps {
  readonly accountId: string;
  readonly agent: AgentBody;
}

/** A conversation with a saved version of the agent, in text or by microphone. */
export function TryPanel({ accountId, agent }: TryPanelProps) {
  return (
    <Stack gap="sm" component="section" aria-label="Try the agent">
      <Title order={2} size="h4">
        Try the agent
      </Title>
      {agent.driver === 'realtime' || agent.driver === 'cascade' ? (
        <Conversation accountId={accountId} agent={agent} />
      ) : (
        <Text size="sm" c="dimmed">
          A scripted agent is heard in a call alone, so it cannot be tried here. Place a test call to hear it.
        </Text>
      )}
    </Stack>
  );
}

function Conversation({ accountId, agent }: TryPanelProps) {
  const { conversation, microphone, begin, pending } = useConversation(accountId, agent.id);
  const { current, isLive } = conversation;
  return (
    <>
      <Text size="sm" c="dimmed">
        {agent.driver === 'realtime'
          ? 'You are the callee. In text, you type and the realtime model answers in text; by microphone, you talk with it.'
          : 'You are the callee. In text, the language model alone answers; by microphone, speech recognition and voice take part.'}{' '}
        No telephone rings. HTTP tools really run, and the wallet pays for the models.
      </Text>
      <Paper withBorder radius="lg" p="lg">
        <Stack gap="md">
          <MicrophoneNotice state={microphone.state} />
          {current !== null && (
            <TryConversation conversation={conversation} current={current} levels={microphone.levels} />
          )}
          {!isLive && (
            <TryStart
              accountId={accountId}
              agent={agent}
              onStart={begin}
              pending={pending}
              error={conversation.start.error}
            />
          )}
        </Stack>
      </Paper>
    </>
  );
}

/** The conversation, and the microphone that ends with it. */
function useConversation(accountId: string, agentId: string) {
  const microphone = useMicrophone();
  const conversation = useTry(accountId, agentId, microphone.stop);
  const { isLive, pathOf, start, end } = conversation;
  const isOpening = microphone.state.kind === 'asking' || (microphone.state.kind === 'starting' && !isLive);
  const isTextPending = start.isPending && start.variables.medium === 'text';
  const pending: TryMedium | null = isOpening ? 'microphone' : isTextPending ? 'text' : null;
  const begin = (body: CreateTryBody & { readonly medium: TryMedium }) => {
    start.reset();
    if (body.medium === 'text') {
      microphone.reset();
      return start.mutate(body);
    }
    microphone.start({
      begin: async () => (await start.mutateAsync(body)).id,
      pathOf: (tryId) => pathOf(tryId, 'sound'),
      // The service would wait for the connection, and the person cannot go on.
      onCut: (tryId) => end.mutate(tryId),
    });
  };
  return { conversation, microphone, begin, pending };
}
