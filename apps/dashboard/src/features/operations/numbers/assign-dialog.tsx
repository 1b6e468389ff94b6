import { Modal, Stack, Text } from '@mantine/core';
import type { OperatedNumberBody } from '@outdial/contracts';
import { useState, type FormEvent } from 'react';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { notifyDone } from '../../../shared/components/notify.tsx';
import { formatPhoneNumber } from '../../../shared/format/numbers.ts';
import type { DialogAbout } from '../../../shared/hooks/use-dialog-about.ts';
import { AccountPicker, type PickedAccount } from '../parts/account-picker.tsx';
import { DialogButtons } from '../../../shared/components/dialog-buttons.tsx';
import { useChangeNumber } from './queries.ts';

export function AssignDialog({ dialog }: { readonly dialog: DialogAbout<OperatedNumberBody> }) {
  const { subject: number, isOpen, close } = dialog;
  const title = number === null ? '' : `Assign ${formatPhoneNumber(number.number)}`;
  return (
    <Modal opened={isOpen} onClose={close} title={title} centered>
      {number !== null && <AssignForm number={number} onDone={close} />}
    </Modal>
  );
}

interface AssignFormProps {
  readonly number: OperatedNumberBody;
  readonly onDone: () => void;
}

function AssignForm({ number, onDone }: AssignFormProps) {
  const [account, setAccount] = useState<PickedAccount | null>(null);
  const [isMissing, setMissing] = useState(false);
  const change = useChangeNumber();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(account === null);
    if (account === null) return;
    change.mutate(
      { kind: 'assign', id: number.id, accountId: account.id },
      {
        onSuccess: () => {
          onDone();
          notifyDone(`${formatPhoneNumber(number.number)} assigned to ${account.name}.`);
        },
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {change.isError && <ErrorNotice title="Could not assign the number" error={change.error} />}
        {number.account !== null && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {number.account.name} loses the number. Its calls in progress continue.
          </Text>
        )}
        <AccountPicker
          label="Account"
          value={account}
          onChange={setAccount}
          isRequired
          error={isMissing && account === null ? 'Choose an account' : undefined}
        />
        <DialogButtons label="Assign" isPending={change.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}
