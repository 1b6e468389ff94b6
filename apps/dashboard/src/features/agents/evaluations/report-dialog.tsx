import { Group, Modal, Paper, Stack, Text, Title } from '@mantine/core';
import { RUN_PROBLEMS, type EvaluationBody, type EvaluationRunBody, type RunLine } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { PanelSkeleton } from '../../../shared/components/skeletons.tsx';
import { formatMoney } from '../../../shared/format/numbers.ts';
import { SpokenLine, ToolLine } from '../conversation-line.tsx';
import { RUN_END_WORDS, wordingOf } from './evaluation-words.ts';
import { evaluationQuery } from './queries.ts';
import { VerdictBadge } from './verdict-badge.tsx';

interface ReportDialogProps {
  readonly accountId: string;
  readonly agentId: string;
  /** Null: the dialog is closed. */
  readonly evaluationId: string | null;
  /** The one before, to compare with. Null: there is none. */
  readonly earlierId: string | null;
  readonly onClose: () => void;
}

/** The conversations of an evaluation, and how each was judged. */
export function ReportDialog({ evaluationId, onClose, ...of }: ReportDialogProps) {
  return (
    <Modal opened={evaluationId !== null} onClose={onClose} title="Report of the evaluation" size="xl">
      {evaluationId !== null && <Report {...of} evaluationId={evaluationId} />}
    </Modal>
  );
}

function Report({
  accountId,
  agentId,
  evaluationId,
  earlierId,
}: Omit<ReportDialogProps, 'onClose' | 'evaluationId'> & { readonly evaluationId: string }) {
  const evaluation = useQuery(evaluationQuery(accountId, agentId, evaluationId));
  const earlier = useQuery({
    ...evaluationQuery(accountId, agentId, earlierId ?? evaluationId),
    enabled: earlierId !== null,
  });
  return (
    <Loaded query={evaluation} what="the evaluation" skeleton={<PanelSkeleton />}>
      {(loaded) => (
        <Stack>
          <Text size="sm" c="dimmed">
            Version {loaded.agent_version}, judged by {loaded.llm.model}
          </Text>
          {loaded.runs.map((run) => (
            <Run
              key={run.scenario.name}
              run={run}
              currency={loaded.currency}
              earlier={earlierId === null ? undefined : earlier.data}
            />
          ))}
        </Stack>
      )}
    </Loaded>
  );
}

interface RunProps {
  readonly run: EvaluationRunBody;
  readonly currency: string;
  readonly earlier: EvaluationBody | undefined;
}

function Run({ run, currency, earlier }: RunProps) {
  const { scenario, judgments, transcript, problem, ended_reason: reason } = run;
  const before = earlier?.runs.find((other) => other.scenario.name === scenario.name);
  return (
    <Paper withBorder radius="md" p="md" component="section" aria-label={`Result of ${scenario.name}`}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={3} size="h5">
            {scenario.name}
          </Title>
          <Group gap="xs">
            <VerdictBadge of={run} />
            <Text size="sm">{formatMoney(run.cost, currency)}</Text>
          </Group>
        </Group>
        {earlier !== undefined && before !== undefined && (
          <Text size="sm" c="dimmed">
            Before, with version {earlier.agent_version}: {wordingOf(before).label.toLowerCase()}
          </Text>
        )}
        {problem !== null && <Text size="sm">{RUN_PROBLEMS[problem]}</Text>}
        {judgments.map(({ criteria, passed, value, reason: why }) => (
          <Text key={criteria} size="sm" style={{ overflowWrap: 'anywhere' }}>
            <Text span fw={550}>
              {passed ? 'Met' : 'Not met'}
              {typeof value === 'number' ? ` (${value} of 10)` : ''}:
            </Text>{' '}
            {criteria}{' '}
            <Text span c="dimmed">
              {why}
            </Text>
          </Text>
        ))}
        <Stack gap={4} role="group" aria-label={`Conversation of ${scenario.name}`}>
          {transcript.map((line, index) => (
            <Line key={index} line={line} />
          ))}
        </Stack>
        {reason !== null && (
          <Text size="sm" c="dimmed">
            {RUN_END_WORDS[reason]}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

function Line({ line }: { readonly line: RunLine }) {
  switch (line.kind) {
    case 'agent':
    case 'callee':
      return <SpokenLine speaker={line.kind === 'agent' ? 'Agent' : 'Callee'} text={line.text} />;
    case 'tool':
      return (
        <ToolLine
          name={line.name}
          given={JSON.stringify(line.arguments)}
          result={line.result}
          isFailed={line.outcome !== 'ok'}
        />
      );
    default:
      return line satisfies never;
  }
}
