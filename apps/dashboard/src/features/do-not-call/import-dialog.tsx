import { Alert, Button, Code, FileInput, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import type { SuppressionImportBody } from '@outdial/contracts';
import { IconAlertTriangle, IconCheck, IconUpload } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { DialogButtons } from '../../shared/components/dialog-buttons.tsx';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { formatCount } from '../../shared/format/numbers.ts';
import { useAccount } from '../../shared/session/account.ts';
import { InvalidLines } from './invalid-lines.tsx';
import { importWords } from './list-words.ts';
import { useImportNumbers } from './queries.ts';

interface ImportDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks for a file, then reports what became of its lines. */
export function ImportDialog({ isOpen, onClose }: ImportDialogProps) {
  const { account_id: accountId } = useAccount();
  const send = useImportNumbers(accountId);
  const close = () => {
    onClose();
    send.reset();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={send.data === undefined ? 'Import a file' : 'File imported'}
      size="lg"
      closeOnClickOutside={!send.isPending}
      closeOnEscape={!send.isPending}
    >
      {send.data === undefined ? (
        <ImportForm send={send} onCancel={close} />
      ) : (
        <ImportReport report={send.data} onDone={close} />
      )}
    </Modal>
  );
}

interface ImportFormProps {
  readonly send: ReturnType<typeof useImportNumbers>;
  readonly onCancel: () => void;
}

function ImportForm({ send, onCancel }: ImportFormProps) {
  const [file, setFile] = useState<File | null>(null);
  const [column, setColumn] = useState('');
  const [wasSent, setSent] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (file !== null) send.mutate({ file, column: column.trim() === '' ? undefined : column.trim() });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {send.isError && <ErrorNotice title="Could not import the file" error={send.error} />}
        <Text size="sm">
          A CSV file with one number per line, such as <Code>+12025550143</Code>, or with a column of numbers. Lines
          without a valid number are reported and left out; all others are added. You can import a file again.
        </Text>
        <FileInput
          label="File"
          placeholder="Choose a CSV file"
          accept=".csv,.txt,text/csv,text/plain"
          leftSection={<IconUpload size={16} aria-hidden />}
          value={file}
          onChange={(chosen) => {
            setFile(chosen);
            send.reset();
          }}
          error={wasSent && file === null ? 'Choose a file' : undefined}
        />
        <TextInput
          label="Column"
          description="The name of the column with the numbers. Leave it empty for a file with one number per line."
          placeholder="phone"
          autoComplete="off"
          value={column}
          onChange={({ currentTarget }) => setColumn(currentTarget.value)}
        />
        <DialogButtons label="Import file" isPending={send.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

interface ImportReportProps {
  readonly report: SuppressionImportBody;
  readonly onDone: () => void;
}

function ImportReport({ report, onDone }: ImportReportProps) {
  const { invalid, problems } = report;
  const isClean = invalid === 0;
  return (
    <Stack>
      <Alert
        color={isClean ? 'teal' : 'orange'}
        variant="light"
        role="status"
        icon={isClean ? <IconCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
        title={isClean ? 'Every line was read' : 'Some lines were left out'}
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
