import { Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { e164Schema } from '@outdial/contracts';
import { useState } from 'react';
import { z } from 'zod';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { notifyDone } from '../../../shared/components/notify.tsx';
import { fieldErrorsOf, validateBy } from '../../../shared/forms/field-errors.ts';
import { formatPhoneNumber } from '../../../shared/format/numbers.ts';
import { AccountPicker, type PickedAccount } from '../parts/account-picker.tsx';
import { DialogButtons } from '../../../shared/components/dialog-buttons.tsx';
import { useChangeNumber } from './queries.ts';

interface AddNumberDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The account that gets the number. Absent: the dialog asks. */
  readonly account?: PickedAccount;
}

export function AddNumberDialog({ isOpen, onClose, account }: AddNumberDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Add number" centered>
      <AddNumberForm account={account} onDone={onClose} />
    </Modal>
  );
}

/** Users type numbers with spaces, hyphens and parentheses. */
const withoutMarks = (text: string) => text.replace(/[\s().-]/g, '');
const valuesSchema = z.object({ number: z.string().transform(withoutMarks).pipe(e164Schema) });

interface AddNumberFormProps {
  readonly account: PickedAccount | undefined;
  readonly onDone: () => void;
}

function AddNumberForm({ account, onDone }: AddNumberFormProps) {
  const [picked, setPicked] = useState<PickedAccount | null>(account ?? null);
  const change = useChangeNumber();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { number: '' },
    validate: validateBy(valuesSchema),
  });
  const submit = form.onSubmit((values) => {
    const number = withoutMarks(values.number);
    change.mutate(
      { kind: 'add', number, accountId: picked?.id ?? null },
      {
        onError: (error) => form.setErrors(fieldErrorsOf(error)),
        onSuccess: () => {
          onDone();
          notifyDone(`${formatPhoneNumber(number)} added${picked === null ? '' : ` to ${picked.name}`}.`);
        },
      },
    );
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {change.isError && <ErrorNotice title="Could not add the number" error={change.error} />}
        <TextInput
          label="Number"
          description="Include the country code. Your carrier must accept it as a caller number."
          placeholder="+1 202 555 0143"
          type="tel"
          autoComplete="off"
          data-autofocus
          key={form.key('number')}
          {...form.getInputProps('number')}
        />
        {account === undefined && (
          <AccountPicker
            label="Account"
            description="Optional. You can assign the number later."
            value={picked}
            onChange={setPicked}
          />
        )}
        <DialogButtons label="Add number" isPending={change.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}
