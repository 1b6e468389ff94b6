import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../shared/components/error-notice.tsx';
import { conductedAgentsQuery, type ConductedAgent } from './conducted-agents.ts';

interface AgentsAffectedProps {
  readonly accountId: string;
  /** What happens to which agents. A consequence without agents is left out. */
  readonly consequencesFor: (agents: readonly ConductedAgent[]) => readonly Consequence[];
  /** For the case that there is none. */
  readonly noneText: string;
}

export interface Consequence {
  readonly words: string;
  readonly agents: readonly ConductedAgent[];
}

/** Lists the agents that lose something by a deletion. Their current versions count. */
export function AgentsAffected({ accountId, consequencesFor, noneText }: AgentsAffectedProps) {
  const agents = useQuery(conductedAgentsQuery(accountId));
  if (agents.isError) return <Text size="sm">Could not read the agents: {messageOf(agents.error)}</Text>;
  if (agents.data === undefined) return <Text size="sm">Looking for agents that use it…</Text>;
  const consequences = consequencesFor(agents.data).filter((one) => one.agents.length > 0);
  if (consequences.length === 0) return <Text size="sm">{noneText}</Text>;
  return (
    <Stack gap="xs">
      {consequences.map(({ words, agents: affected }) => (
        <div key={words}>
          <Text size="sm">{words}</Text>
          <ul style={{ margin: 0, overflowWrap: 'anywhere' }}>
            {affected.map(({ name }, at) => (
              // Two agents may have one name.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={at}>{name}</li>
            ))}
          </ul>
        </div>
      ))}
    </Stack>
  );
}
