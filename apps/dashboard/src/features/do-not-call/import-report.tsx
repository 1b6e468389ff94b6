import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { SuppressionImportBody } from '@outdial/contracts';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { InvalidLines } from '../../shared/components/invalid-lines.tsx';
import { formatCount } from '../../shared/format/numbers.ts';
import { importWords } from './list-words.ts';

interface ImportReportProps {
  readonly report: SuppressionImportBody;
  readonly onDone: () => void;
}

/** What became of the lines of a file, and which of them have no valid number. */
export function ImportReport({ report, onDone }: ImportReportProps) {
  const { lines, invalid, problems } = report;
  const isClean = invalid === 0 && lines > 0;
  return (
    <Stack>
      <Alert
        color={isClean ? 'teal' : 'orange'}
        variant="light"
        role="status"
        icon={isClean ? <IconCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
        title={titleOf(report)}
      >
        <Text size="sm">{importWords(report).join(' ')}</Text>
      </Alert>
      <InvalidLines lines={problems.map(({ line, value, message }) => ({ line, text: value, message }))} />
      {invalid > problems.length && <Text size="sm">and {formatCount(invalid - problems.length)} more</Text>}
      <Group justify="flex-end">
        <Button onClick={onDone} data-autofocus>
          Done
        </Button>
      </Group>
    </Stack>
  );
}

function titleOf({ lines, invalid }: SuppressionImportBody): string {
  if (lines === 0) return 'Nothing to add';
  return invalid === 0 ? 'Every line was read' : 'Some lines were left out';
}
