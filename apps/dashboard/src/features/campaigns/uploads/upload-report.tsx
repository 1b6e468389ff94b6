import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { campaignUploadEnvelopeSchema } from '@outdial/contracts';
import { IconAlertTriangle, IconCheck, IconDownload } from '@tabler/icons-react';
import type { z } from 'zod';
import type { CampaignKey } from '../../../shared/account/campaigns.ts';
import { InvalidLines } from '../../../shared/components/invalid-lines.tsx';
import { formatCount } from '../../../shared/format/numbers.ts';
import { errorsHref } from '../queries.ts';
import { uploadSentences } from '../words/upload-words.ts';

export type UploadWithErrors = z.output<typeof campaignUploadEnvelopeSchema>['upload'];

interface UploadReportProps {
  readonly id: CampaignKey;
  readonly upload: UploadWithErrors;
  /** Absent: the report is a part of a page. */
  readonly onDone?: () => void;
}

/** What came of the lines of an upload, and which of them are no contact. */
export function UploadReport({ id, upload, onDone }: UploadReportProps) {
  const { number, state, rows, invalid, errors } = upload;
  const isClean = state === 'ready' && rows > 0 && invalid === 0;
  const named = new Set(errors.map(({ line }) => line)).size;
  return (
    <Stack>
      <Alert
        color={isClean ? 'teal' : 'orange'}
        variant="light"
        role="status"
        icon={isClean ? <IconCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
        title={isClean ? 'Every line was read' : 'Not every line was added'}
      >
        <Text size="sm">{uploadSentences(upload).join(' ')}</Text>
      </Alert>
      <InvalidLines
        lines={errors.map(({ line, column, value, message }) => ({
          line,
          text: `${column}: ${value}`,
          message,
        }))}
      />
      {invalid > named && <Text size="sm">and {formatCount(invalid - named)} more lines</Text>}
      <Group justify="flex-end">
        {invalid > 0 && (
          <Button
            component="a"
            href={errorsHref(id, number)}
            download
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            Download all errors
          </Button>
        )}
        {onDone !== undefined && (
          <Button onClick={onDone} data-autofocus>
            Done
          </Button>
        )}
      </Group>
    </Stack>
  );
}
