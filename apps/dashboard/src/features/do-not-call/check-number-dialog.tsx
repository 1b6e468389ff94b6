import { Alert, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { E164 } from '@outdial/contracts';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { suppressionCheckQuery, type SuppressionCheck } from '../../shared/account/suppressions.ts';
import { DialogButtons } from '../../shared/components/dialog-buttons.tsx';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { ListedNumberNotice } from '../../shared/components/listed-number-notice.tsx';
import { formatPhoneNumber } from '../../shared/format/numbers.ts';
import { NUMBER_ERROR, readNumber } from '../../shared/forms/read-number.ts';
import { useAccount } from '../../shared/session/account.ts';

interface CheckNumberDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function CheckNumberDialog({ isOpen, onClose }: CheckNumberDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Check a number">
      <CheckForm onDone={onClose} />
    </Modal>
  );
}

function CheckForm({ onDone }: { readonly onDone: () => void }) {
  const { account_id: accountId } = useAccount();
  const [number, setNumber] = useState<E164 | null>(null);
  const check = useQuery(suppressionCheckQuery(accountId, number));
  const form = useForm({
    initialValues: { number: '' },
    validate: { number: (text) => (readNumber(text) === null ? NUMBER_ERROR : null) },
    // The verdict is about the number that was checked.
    onValuesChange: () => setNumber(null),
  });
  const submit = form.onSubmit((values) => setNumber(readNumber(values.number)));
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label="Number"
          description="Looks at your own list and at the platform’s, which the operator keeps for all accounts."
          placeholder="+1 202 555 0143"
          type="tel"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('number')}
        />
        {check.isError && <ErrorNotice title="Could not check the number" error={check.error} />}
        {number !== null && check.data && <Verdict check={check.data} />}
        <DialogButtons label="Check number" isPending={check.isFetching} onCancel={onDone} />
      </Stack>
    </form>
  );
}

function Verdict({ check }: { readonly check: SuppressionCheck }) {
  if (check.suppressed) return <ListedNumberNotice check={check} />;
  return (
    <Alert color="teal" variant="light" icon={<IconCheck aria-hidden />} title="On no do-not-call list">
      <Text size="sm">{formatPhoneNumber(check.number)} can be called.</Text>
    </Alert>
  );
}
