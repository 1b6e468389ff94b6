import { Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { secretNameSchema, setSecretSchema } from '@outdial/contracts';
import { DialogButtons } from '../../../shared/components/dialog-buttons.tsx';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { notifyDone } from '../../../shared/components/notify.tsx';
import { fieldErrorsOf, validateBy } from '../../../shared/forms/field-errors.ts';
import { useSetSecret } from '../queries.ts';

interface SetSecretDialogProps {
  readonly accountId: string;
  readonly isOpen: boolean;
  /** The secret whose value is replaced. Null: a new one. */
  readonly name: string | null;
  readonly onClose: () => void;
}

export function SetSecretDialog({ accountId, isOpen, name, onClose }: SetSecretDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={name === null ? 'Add secret' : `Replace ${name}`}>
      <SetSecretForm accountId={accountId} name={name} onDone={onClose} />
    </Modal>
  );
}

const inputSchema = setSecretSchema.extend({ name: secretNameSchema });

type SetSecretFormProps = Pick<SetSecretDialogProps, 'accountId' | 'name'> & { readonly onDone: () => void };

function SetSecretForm({ accountId, name, onDone }: SetSecretFormProps) {
  const set = useSetSecret(accountId);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: name ?? '', value: '' },
    validate: validateBy(inputSchema),
  });
  const submit = form.onSubmit((values) =>
    set.mutate(values, {
      onSuccess: ({ secret }) => {
        onDone();
        notifyDone(`Secret ${secret.name} saved.`);
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {set.isError && <ErrorNotice title="Could not save the secret" error={set.error} />}
        {name === null && (
          <TextInput
            label="Name"
            description="Such as CRM_TOKEN. A secret of the same name gets the new value."
            autoComplete="off"
            data-autofocus
            key={form.key('name')}
            {...form.getInputProps('name')}
          />
        )}
        <PasswordInput
          label="Value"
          description="We seal it and never show it again."
          autoComplete="off"
          data-autofocus={name === null ? undefined : true}
          key={form.key('value')}
          {...form.getInputProps('value')}
        />
        <DialogButtons label="Save secret" isPending={set.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}
