import { Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { CALL_LIMITS, CAMPAIGN_LIMITS, type AgentSummaryBody } from '@outdial/contracts';
import type { CampaignKey } from '../../../shared/account/campaigns.ts';
import { ApiError } from '../../../shared/api/api-error.ts';
import { DialogButtons } from '../../../shared/components/dialog-buttons.tsx';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { InvalidLines } from '../../../shared/components/invalid-lines.tsx';
import { notifyDone } from '../../../shared/components/notify.tsx';
import { fieldErrorsOf } from '../../../shared/forms/field-errors.ts';
import { linesError, readNumberLines } from '../../../shared/forms/number-lines.ts';
import { useAddContacts } from '../queries.ts';
import { contactProblems } from '../words/contact-problems.ts';
import { uploadSentences } from '../words/upload-words.ts';

interface AddNumbersDialogProps {
  readonly id: CampaignKey;
  readonly agent: AgentSummaryBody | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function AddNumbersDialog({ id, agent, isOpen, onClose }: AddNumbersDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Add numbers" size="lg">
      <NumbersForm id={id} names={agent?.required_variables ?? []} onDone={onClose} />
    </Modal>
  );
}

interface NumbersFormProps {
  readonly id: CampaignKey;
  /** The variables that the agent needs. */
  readonly names: readonly string[];
  readonly onDone: () => void;
}

interface Values {
  readonly lines: string;
  readonly variables: Readonly<Record<string, string>>;
}

const MOST = CAMPAIGN_LIMITS.contactsAtOnce;

function NumbersForm({ id, names, onDone }: NumbersFormProps) {
  const add = useAddContacts(id);
  const form = useForm<Values>({
    initialValues: { lines: '', variables: Object.fromEntries(names.map((name) => [name, ''])) },
    validate: {
      lines: (text) => linesError(readNumberLines(text), MOST),
      variables: Object.fromEntries(
        names.map((name) => [name, (text: string) => (text.trim() === '' ? 'Required by the agent’s script' : null)]),
      ),
    },
  });
  const { numbers, invalid } = readNumberLines(form.values.lines);
  const submit = form.onSubmit(({ lines, variables }) =>
    add.mutate(
      {
        contacts: readNumberLines(lines).numbers.map((number) => {
          return { to_number: number, variables: { ...variables }, metadata: {} };
        }),
      },
      {
        onSuccess: ({ upload }) => {
          onDone();
          notifyDone(uploadSentences(upload).join(' '));
        },
      },
    ),
  );
  const problems = add.error instanceof ApiError ? contactProblems(fieldErrorsOf(add.error), numbers) : [];
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {add.isError && <ErrorNotice title="Could not add the numbers" error={add.error} />}
        <InvalidLines lines={problems} />
        <Textarea
          label="Numbers"
          description={`One per line with its country code, at most ${MOST}. A number that the campaign has already is not added again.`}
          placeholder={'+1 202 555 0143\n+44 20 7946 0000'}
          autosize
          minRows={5}
          maxRows={12}
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('lines')}
        />
        {form.errors['lines'] !== undefined && <InvalidLines lines={invalid} />}
        {names.map((name) => (
          <TextInput
            key={name}
            label={name}
            description="For all of these numbers."
            maxLength={CALL_LIMITS.variableLength}
            {...form.getInputProps(`variables.${name}`)}
          />
        ))}
        <Text size="sm" c="dimmed">
          They are called after the contacts that are there already.
        </Text>
        <DialogButtons label="Add numbers" isPending={add.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}
