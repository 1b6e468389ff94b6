import { Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { createSuppressionsSchema, MOST_NUMBERS_AT_ONCE, type createdSuppressionsSchema } from '@outdial/contracts';
import type { z } from 'zod';
import { DialogButtons } from '../../shared/components/dialog-buttons.tsx';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { InvalidLines } from '../../shared/components/invalid-lines.tsx';
import { notifyDone } from '../../shared/components/notify.tsx';
import { fieldErrorsOf, wordsOf } from '../../shared/forms/field-errors.ts';
import { linesError, readNumberLines } from '../../shared/forms/number-lines.ts';
import { useAccount } from '../../shared/session/account.ts';
import { addedWords } from './list-words.ts';
import { useAddNumbers } from './queries.ts';

interface AddNumbersDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function AddNumbersDialog({ isOpen, onClose }: AddNumbersDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Add numbers" size="lg">
      <AddNumbersForm onDone={onClose} />
    </Modal>
  );
}

type Values = Readonly<Record<'lines' | 'reason', string>>;
const EMPTY: Values = { lines: '', reason: '' };

function errorsOf({ lines, reason }: Values): Record<string, string> {
  const inLines = linesError(readNumberLines(lines), MOST_NUMBERS_AT_ONCE);
  const issue = createSuppressionsSchema.shape.reason.safeParse(reason).error?.issues[0];
  return {
    ...(inLines === null ? {} : { lines: inLines }),
    ...(issue === undefined ? {} : { reason: wordsOf(issue) }),
  };
}

function AddNumbersForm({ onDone }: { readonly onDone: () => void }) {
  const { account_id: accountId } = useAccount();
  const add = useAddNumbers(accountId);
  const form = useForm<Values>({ initialValues: EMPTY, validate: errorsOf, validateInputOnBlur: true });
  const submit = form.onSubmit(({ lines, reason }) => {
    const numbers = [...readNumberLines(lines).numbers];
    add.mutate(
      { numbers, ...(reason.trim() === '' ? {} : { reason }) },
      {
        onSuccess: (created: z.output<typeof createdSuppressionsSchema>) => {
          onDone();
          notifyDone(addedWords(created.added, numbers.length - created.added));
        },
        onError: (error) => form.setErrors(fieldErrorsOf(error)),
      },
    );
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {add.isError && <ErrorNotice title="Could not add the numbers" error={add.error} />}
        <Textarea
          label="Numbers"
          description={`One per line with its country code, at most ${MOST_NUMBERS_AT_ONCE}.`}
          placeholder={'+1 202 555 0143\n+44 20 7946 0000'}
          autosize
          minRows={5}
          maxRows={12}
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('lines')}
        />
        {form.errors['lines'] !== undefined && <InvalidLines lines={readNumberLines(form.values.lines).invalid} />}
        <TextInput
          label="Reason"
          description="For everyone who reads the list. Optional."
          autoComplete="off"
          {...form.getInputProps('reason')}
        />
        <Text size="sm" c="dimmed">
          From then on no call to these numbers begins. Calls that ring or talk go on.
        </Text>
        <DialogButtons label="Add numbers" isPending={add.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}
