import { Code, Group, Loader, Paper, Stack, Table, Text, Title } from '@mantine/core';
import type { CallAnalysisBody, CallBody, CallEventBody } from '@outdial/contracts';
import { analysisCostWords, analysisStatusWords, dataWords, successWords } from '../model/analysis-words.ts';
import classes from './facts.module.css';

interface AnalysisProps {
  readonly call: CallBody;
  readonly events: readonly CallEventBody[];
}

/** What a model found out about the ended call. Nothing for a call without an analysis. */
export function Analysis({ call, events }: AnalysisProps) {
  const { analysis_status: status, analysis } = call;
  if (status === 'none') return null;
  const words = analysisStatusWords(call, events);
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="analysis">
      <Title order={2} size="h4" id="analysis" mb="md">
        Analysis
      </Title>
      <div aria-live="polite">
        {words !== null && (
          <Group gap="xs" wrap="nowrap">
            {status === 'pending' && <Loader size="xs" aria-hidden />}
            <Text size="sm">{words}</Text>
          </Group>
        )}
      </div>
      {analysis !== null && (
        <Stack mt={words === null ? 0 : 'md'}>
          <Found analysis={analysis} currency={call.currency} />
        </Stack>
      )}
    </Paper>
  );
}

function Found({ analysis, currency }: { readonly analysis: CallAnalysisBody; readonly currency: string }) {
  const { summary, success, data, text } = analysis;
  return (
    <>
      {summary !== null && (
        <Part name="Summary">
          <Text size="sm" className={classes['text'] ?? ''}>
            {summary}
          </Text>
        </Part>
      )}
      {success !== null && (
        <Part name="Success">
          <Text size="sm" className={classes['text'] ?? ''}>
            <b>{successWords(success)}.</b> {success.reason}
          </Text>
        </Part>
      )}
      {data !== null && <Data data={data} />}
      {text !== null && (
        <Part name="Unusable answer">
          <Code block tabIndex={0} aria-label="Unusable answer" style={{ whiteSpace: 'pre-wrap' }} mah={240}>
            {text}
          </Code>
        </Part>
      )}
      <Text size="xs" c="dimmed" className={classes['text'] ?? ''}>
        {analysisCostWords(analysis, currency)}
      </Text>
    </>
  );
}

function Part({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      {children}
    </div>
  );
}

function Data({ data }: { readonly data: NonNullable<CallAnalysisBody['data']> }) {
  return (
    <Table aria-label="Data of the analysis" layout="fixed" horizontalSpacing={0} className={classes['values'] ?? ''}>
      <Table.Tbody>
        {Object.entries(data).map(([field, value]) => (
          <Table.Tr key={field}>
            <Table.Th scope="row" fw={400} c="dimmed">
              {field}
            </Table.Th>
            <Table.Td>{dataWords(value)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
