import { Paper, Stack, Text, Title } from '@mantine/core';
import type { AgentBody } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { PanelSkeleton } from '../../../shared/components/skeletons.tsx';
import { EvaluationList } from './evaluation-list.tsx';
import { scenariosQuery } from './queries.ts';
import { ScenarioForm } from './scenario-form.tsx';

interface EvaluationPanelProps {
  readonly accountId: string;
  readonly agent: AgentBody;
}

/** Conversations of a version of the agent with simulated callees, and how they were judged. */
export function EvaluationPanel({ accountId, agent }: EvaluationPanelProps) {
  return (
    <Stack gap="sm" component="section" aria-label="Evaluations">
      <Title order={2} size="h4">
        Evaluations
      </Title>
      {agent.driver === 'realtime' || agent.driver === 'cascade' ? (
        <Evaluations accountId={accountId} agent={agent} />
      ) : (
        <Text size="sm" c="dimmed">
          A scripted agent listens to sound alone, so simulated callees cannot talk with it.
        </Text>
      )}
    </Stack>
  );
}

function Evaluations({ accountId, agent }: EvaluationPanelProps) {
  const scenarios = useQuery(scenariosQuery(accountId, agent.id));
  return (
    <>
      <Text size="sm" c="dimmed">
        Simulated callees talk in text with a version of the agent, and a model judges each conversation. No telephone
        rings, and no tool is called. The wallet pays for the models.
      </Text>
      <Loaded query={scenarios} what="the scenarios" skeleton={<PanelSkeleton />}>
        {(saved) => (
          <Paper withBorder radius="lg" p="lg">
            <ScenarioForm accountId={accountId} agent={agent} saved={saved} />
          </Paper>
        )}
      </Loaded>
      <EvaluationList accountId={accountId} agentId={agent.id} />
    </>
  );
}
