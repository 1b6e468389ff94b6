import { Alert, Code, FileInput, Modal, ScrollArea, Stack, Table, Text, TextInput } from '@mantine/core';
import { deckParamsSchema, MAX_RATES_FILE_BYTES, rateProblemsSchema } from '@outdial/contracts';
import { IconAlertCircle, IconUpload } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { ApiError } from '../../../shared/api/api-error.ts';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { notifyDone } from '../../../shared/components/notify.tsx';
import { formatCount } from '../../../shared/format/numbers.ts';
import { DialogButtons } from '../../../shared/components/dialog-buttons.tsx';
import { useImportRates } from './queries.ts';

interface ImportDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly currency: string;
  /** Called with the imported deck's currency. */
  readonly onImported: (currency: string) => void;
}

export function ImportDialog({ isOpen, onClose, ...form }: ImportDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Import rates" size="lg">
      <ImportForm {...form} onDone={onClose} />
    </Modal>
  );
}

type ImportFormProps = Omit<ImportDialogProps, 'isOpen' | 'onClose'> & { readonly onDone: () => void };

function ImportForm({ currency: initialCurrency, onImported, onDone }: ImportFormProps) {
  const [currency, setCurrency] = useState(initialCurrency);
  const [file, setFile] = useState<File | null>(null);
  const [wasSent, setSent] = useState(false);
  const importRates = useImportRates();
  const isCurrency = deckParamsSchema.safeParse({ currency }).success;
  const fileError = fileErrorOf(file);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (!isCurrency || file === null || fileError !== undefined) return;
    importRates.mutate(
      { currency, file },
      {
        onSuccess: ({ deck }) => {
          onDone();
          onImported(deck.currency);
          notifyDone(
            `Imported ${deck.rates === 1 ? '1 rate' : `${formatCount(deck.rates)} rates`} in ${deck.currency}.`,
          );
        },
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {importRates.isError && <ImportErrors error={importRates.error} />}
        <Text size="sm">
          A CSV file with the columns <Code>prefix,description,connection_fee,price_per_minute,increments</Code>. It
          replaces all rates of the currency at once. Accepted calls keep their rates. If any line is invalid, nothing
          is imported.
        </Text>
        <TextInput
          label="Currency"
          maxLength={3}
          value={currency}
          onChange={({ currentTarget }) => setCurrency(currentTarget.value.toUpperCase())}
          error={wasSent && !isCurrency ? 'Enter a three-letter code, such as USD' : undefined}
        />
        <FileInput
          label="File"
          placeholder="Choose a CSV file"
          accept=".csv,text/csv"
          leftSection={<IconUpload size={16} aria-hidden />}
          value={file}
          onChange={(chosen) => {
            setFile(chosen);
            importRates.reset();
          }}
          error={wasSent || file !== null ? fileError : undefined}
        />
        <DialogButtons label="Import rates" isPending={importRates.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}

function fileErrorOf(file: File | null): string | undefined {
  if (file === null) return 'Choose a file';
  return file.size > MAX_RATES_FILE_BYTES ? 'Must be at most 10 MiB' : undefined;
}

/** Lists the invalid lines if the service names them. */
function ImportErrors({ error }: { readonly error: unknown }) {
  const report = error instanceof ApiError ? rateProblemsSchema.safeParse(error.details) : undefined;
  if (!report?.success) return <ErrorNotice title="Could not import rates" error={error} />;
  const { problems, problem_count: count } = report.data;
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<IconAlertCircle aria-hidden />}
      title={`Nothing was imported: ${count === 1 ? '1 problem' : `${formatCount(count)} problems`}`}
    >
      <ScrollArea.Autosize
        mah={260}
        type="auto"
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Problems' }}
      >
        <Table aria-label="Problems" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Line</Table.Th>
              <Table.Th>Problem</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {problems.map(({ line, column, message }) => (
              <Table.Tr key={`${line} ${column ?? ''} ${message}`}>
                <Table.Td className="tabular">{line}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{message}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {count > problems.length && <Text size="sm">and {formatCount(count - problems.length)} more</Text>}
      </ScrollArea.Autosize>
    </Alert>
  );
}
