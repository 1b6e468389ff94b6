import { Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { topUpSchema, type OperatedAccountBody } from '@outdial/contracts';
import { useState } from 'react';
import { DialogButtons } from '../../shared/components/dialog-buttons.tsx';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { notifyDone } from '../../shared/components/notify.tsx';
import { fieldErrorsOf, validateBy } from '../../shared/forms/field-errors.ts';
import { formatMoney } from '../../shared/format/numbers.ts';
import type { DialogAbout } from '../../shared/hooks/use-dialog-about.ts';
import { useTopUp } from './queries.ts';

export function TopUpDialog({ dialog }: { readonly dialog: DialogAbout<OperatedAccountBody> }) {
  const { subject: account, isOpen, close } = dialog;
  return (
    <Modal opened={isOpen} onClose={close} title={`Top up ${account?.name ?? ''}`} centered>
      {account !== null && <TopUpForm account={account} onDone={close} />}
    </Modal>
  );
}

interface TopUpFormProps {
  readonly account: OperatedAccountBody;
  readonly onDone: () => void;
}

/** One idempotency key per form: a double submit, or a retry after a lost response, adds the amount once. */
function TopUpForm({ account, onDone }: TopUpFormProps) {
  const [idempotencyKey, setIdempotencyKey] = useState(() => crypto.randomUUID());
  const topUp = useTopUp();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { amount: '' },
    validate: ({ amount }) => validateBy(topUpSchema)({ amount, idempotency_key: idempotencyKey }),
    // A different amount is a different top-up.
    onValuesChange: () => setIdempotencyKey(crypto.randomUUID()),
  });
  const submit = form.onSubmit(({ amount }) =>
    topUp.mutate(
      { accountId: account.id, amount, idempotencyKey },
      {
        onError: (error) => form.setErrors(fieldErrorsOf(error)),
        onSuccess: ({ account: { name, balance, currency } }) => {
          onDone();
          notifyDone(`${name} now has a balance of ${formatMoney(balance, currency)}.`);
        },
      },
    ),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {topUp.isError && <ErrorNotice title="Top-up failed" error={topUp.error} />}
        <Text size="sm">
          Current balance: {formatMoney(account.balance, account.currency)}. You cannot undo a top-up here.
        </Text>
        <TextInput
          label={`Amount (${account.currency})`}
          placeholder="25.00"
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
          key={form.key('amount')}
          {...form.getInputProps('amount')}
        />
        <DialogButtons label="Top up" isPending={topUp.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}
