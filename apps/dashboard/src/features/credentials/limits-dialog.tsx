import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { updateCredentialSchema, type CredentialBody } from '@outdial/contracts';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { notifyDone } from '../../shared/components/notify.tsx';
import { fieldErrorsOf, validateBy } from '../../shared/forms/field-errors.ts';
import type { DialogAbout } from '../../shared/hooks/use-dialog-about.ts';
import { limitsDraftOf, limitsInputOf } from './credential-form.ts';
import { LimitFields } from './limit-fields.tsx';
import { useSetLimits } from './queries.ts';

interface LimitsDialogProps {
  readonly accountId: string;
  readonly dialog: DialogAbout<CredentialBody>;
}

export function LimitsDialog({ accountId, dialog }: LimitsDialogProps) {
  const { subject: credential, isOpen, close } = dialog;
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={credential === null ? '' : `Limits of “${credential.name}”`}
      size="lg"
    >
      {credential !== null && <LimitsForm accountId={accountId} credential={credential} onDone={close} />}
    </Modal>
  );
}

interface LimitsFormProps {
  readonly accountId: string;
  readonly credential: CredentialBody;
  readonly onDone: () => void;
}

function LimitsForm({ accountId, credential, onDone }: LimitsFormProps) {
  const setLimits = useSetLimits(accountId);
  const form = useForm({
    initialValues: limitsDraftOf(credential),
    validate: (values) => validateBy(updateCredentialSchema)(limitsInputOf(values)),
  });
  const submit = form.onSubmit((values) =>
    setLimits.mutate(
      { id: credential.id, limits: limitsInputOf(values) },
      {
        onSuccess: () => {
          onDone();
          notifyDone(`Limits of “${credential.name}” changed.`);
        },
        onError: (error) => form.setErrors(fieldErrorsOf(error)),
      },
    ),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {setLimits.isError && <ErrorNotice title="Could not change the limits" error={setLimits.error} />}
        <Text size="sm">Calls beyond a limit wait in the queue. Calls in progress continue.</Text>
        <LimitFields inputProps={(field) => form.getInputProps(field)} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone} disabled={setLimits.isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={setLimits.isPending}>
            Change limits
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
