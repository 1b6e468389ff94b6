import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { topUpSchema, type OperatedAccountBody } from '@outdial/contracts';
import { useState } from 'react';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { notifyDone } from '../../shared/components/notify.tsx';
import { refusedFields, validateBy } from '../../shared/forms/field-errors.ts';
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

/** One key a form: sent twice, by a slip or after an answer that was lost, it adds the amount once. */
function TopUpForm({ account, onDone }: TopUpFormProps) {
  const [idempotencyKey, setIdempotencyKey] = useState(() => crypto.randomUUID());
  const topUp = useTopUp();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { amount: '' },
    validate: ({ amount }) => validateBy(topUpSchema)({ amount, idempotency_key: idempotencyKey }),
    // Another amount is another top-up.
    onValuesChange: () => setIdempotencyKey(crypto.randomUUID()),
  });
  const submit = form.onSubmit(({ amount }) =>
    topUp.mutate(
      { accountId: account.id, amount, idempotencyKey },
      {
        onError: (error) => form.setErrors(refusedFields(error)),
        onSuccess: ({ account: { name, balance, currency } }) => {
          onDone();
          notifyDone(`${name} now has ${formatMoney(balance, currency)}.`);
        },
      },
    ),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {topUp.isError && <ErrorNotice title="Nothing was added that is known of" error={topUp.error} />}
        <Text size="sm">
          The balance is {formatMoney(account.balance, account.currency)}. A top-up cannot be taken back here.
        </Text>
        <TextInput
          label={`Amount in ${account.currency}`}
          placeholder="25.00"
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
          key={form.key('amount')}
          {...form.getInputProps('amount')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={topUp.isPending}>
            Top up
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
