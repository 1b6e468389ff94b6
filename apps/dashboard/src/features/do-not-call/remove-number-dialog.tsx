import { Modal, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { deleteSuppressionSchema, type SuppressionBody } from '@outdial/contracts';
import { DialogButtons } from '../../shared/components/dialog-buttons.tsx';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { notifyDone } from '../../shared/components/notify.tsx';
import { formatPhoneNumber } from '../../shared/format/numbers.ts';
import { fieldErrorsOf, validateBy } from '../../shared/forms/field-errors.ts';
import type { DialogAbout } from '../../shared/hooks/use-dialog-about.ts';
import { useAccount } from '../../shared/session/account.ts';
import { useRemoveNumber } from './queries.ts';

interface RemoveNumberDialogProps {
  readonly dialog: DialogAbout<SuppressionBody>;
}

export function RemoveNumberDialog({ dialog: { isOpen, subject, close } }: RemoveNumberDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={`Remove ${subject === null ? '' : formatPhoneNumber(subject.number)}?`}
    >
      {subject !== null && <RemoveForm entry={subject} onDone={close} />}
    </Modal>
  );
}

interface RemoveFormProps {
  readonly entry: SuppressionBody;
  readonly onDone: () => void;
}

function RemoveForm({ entry, onDone }: RemoveFormProps) {
  const { account_id: accountId } = useAccount();
  const remove = useRemoveNumber(accountId);
  const form = useForm({ initialValues: { reason: '' }, validate: validateBy(deleteSuppressionSchema) });
  const submit = form.onSubmit(({ reason }) =>
    remove.mutate(
      { id: entry.id, reason },
      {
        onSuccess: () => {
          onDone();
          notifyDone(`${formatPhoneNumber(entry.number)} removed from the list.`);
        },
        onError: (error) => form.setErrors(fieldErrorsOf(error)),
      },
    ),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {remove.isError && <ErrorNotice title="Could not remove the number" error={remove.error} />}
        <Text size="sm">
          This entry no longer stops calls to the number. The audit log keeps who removed it, when and why.
        </Text>
        <Textarea
          label="Reason"
          description="Why the number may be called again."
          autosize
          minRows={2}
          data-autofocus
          {...form.getInputProps('reason')}
        />
        <DialogButtons label="Remove number" isPending={remove.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}
