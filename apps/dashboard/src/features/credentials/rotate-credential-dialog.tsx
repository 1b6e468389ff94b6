import { Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { rotateCredentialSchema, type CredentialBody } from '@outdial/contracts';
import { DialogButtons } from '../../shared/components/dialog-buttons.tsx';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { notifyDone } from '../../shared/components/notify.tsx';
import { fieldErrorsOf, validateBy } from '../../shared/forms/field-errors.ts';
import type { DialogAbout } from '../../shared/hooks/use-dialog-about.ts';
import { useRotateCredential } from './queries.ts';

interface RotateCredentialDialogProps {
  readonly accountId: string;
  readonly dialog: DialogAbout<CredentialBody>;
}

export function RotateCredentialDialog({ accountId, dialog }: RotateCredentialDialogProps) {
  const { subject: credential, isOpen, close } = dialog;
  return (
    <Modal opened={isOpen} onClose={close} title={credential === null ? '' : `Rotate “${credential.name}”`}>
      {credential !== null && <RotateForm accountId={accountId} credential={credential} onDone={close} />}
    </Modal>
  );
}

interface RotateFormProps {
  readonly accountId: string;
  readonly credential: CredentialBody;
  readonly onDone: () => void;
}

function RotateForm({ accountId, credential, onDone }: RotateFormProps) {
  const rotate = useRotateCredential(accountId);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { api_key: '' },
    validate: validateBy(rotateCredentialSchema),
  });
  const submit = form.onSubmit(({ api_key: apiKey }) =>
    rotate.mutate(
      { id: credential.id, apiKey },
      {
        onSuccess: () => {
          onDone();
          notifyDone(`Credential “${credential.name}” rotated.`);
        },
        onError: (error) => form.setErrors(fieldErrorsOf(error)),
      },
    ),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {rotate.isError && <ErrorNotice title="Could not rotate the credential" error={rotate.error} />}
        <Text size="sm">New calls use the new key. Calls in progress continue with the old one.</Text>
        <PasswordInput
          label="New key"
          description="We never show it again."
          autoComplete="off"
          data-autofocus
          key={form.key('api_key')}
          {...form.getInputProps('api_key')}
        />
        <DialogButtons label="Rotate credential" isPending={rotate.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}
