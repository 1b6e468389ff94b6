import { Code, FileInput, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { importSuppressionsQuerySchema, MAX_SUPPRESSIONS_FILE_BYTES } from '@outdial/contracts';
import { IconUpload } from '@tabler/icons-react';
import { DialogButtons } from '../../shared/components/dialog-buttons.tsx';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { fieldErrorsOf, validateBy } from '../../shared/forms/field-errors.ts';
import { useAccount } from '../../shared/session/account.ts';
import { ImportReport } from './import-report.tsx';
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

interface Values {
  readonly file: File | null;
  readonly column: string;
  readonly reason: string;
}
const EMPTY: Values = { file: null, column: '', reason: '' };
const MAX_MEBIBYTES = MAX_SUPPRESSIONS_FILE_BYTES / 1_048_576;

/** Absent where the field is empty. */
const given = (text: string) => (text.trim() === '' ? undefined : text.trim());
const validateTexts = validateBy(importSuppressionsQuerySchema);

function errorsOf({ file, column, reason }: Values): Record<string, string> {
  const errors = validateTexts({ column: given(column), reason: given(reason) });
  if (file === null) return { ...errors, file: 'Choose a file' };
  return file.size > MAX_SUPPRESSIONS_FILE_BYTES
    ? { ...errors, file: `Must be at most ${MAX_MEBIBYTES} MiB: split the file` }
    : errors;
}

interface ImportFormProps {
  readonly send: ReturnType<typeof useImportNumbers>;
  readonly onCancel: () => void;
}

function ImportForm({ send, onCancel }: ImportFormProps) {
  const form = useForm<Values>({ initialValues: EMPTY, validate: errorsOf });
  const submit = form.onSubmit(({ file, column, reason }) => {
    if (file === null) return;
    send.mutate(
      { file, column: given(column), reason: given(reason) },
      { onError: (error) => form.setErrors(fieldErrorsOf(error)) },
    );
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {send.isError && <ErrorNotice title="Could not import the file" error={send.error} />}
        <Text size="sm">
          A CSV file whose lines begin with a number, such as <Code>+12025550143</Code>, or have it in a named column.
          Lines without a valid number are reported and left out; all others are added. You can import a file again.
        </Text>
        <FileInput
          label="File"
          placeholder="Choose a CSV file"
          accept=".csv,.txt,text/csv,text/plain"
          leftSection={<IconUpload size={16} aria-hidden />}
          {...form.getInputProps('file')}
        />
        <TextInput
          label="Column"
          description="The name of the column with the numbers, as the first line has it. Empty: each line begins with its number."
          placeholder="phone"
          autoComplete="off"
          {...form.getInputProps('column')}
        />
        <TextInput
          label="Reason"
          description="For everyone who reads the list. Optional."
          autoComplete="off"
          {...form.getInputProps('reason')}
        />
        <DialogButtons label="Import file" isPending={send.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
