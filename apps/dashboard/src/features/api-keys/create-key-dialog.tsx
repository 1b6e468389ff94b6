import { Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { createApiKeySchema } from '@outdial/contracts';
import { DialogButtons } from '../../shared/components/dialog-buttons.tsx';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { fieldErrorsOf, validateBy } from '../../shared/forms/field-errors.ts';
import { EXPIRY_CHOICES, expiryOf } from './key-state.ts';
import { KeyValue } from './key-value.tsx';
import { useCreateApiKey } from './queries.ts';

interface CreateKeyDialogProps {
  readonly accountId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks for a name, then shows the key's value. The value exists only while this dialog is open. */
export function CreateKeyDialog({ accountId, isOpen, onClose }: CreateKeyDialogProps) {
  const create = useCreateApiKey(accountId);
  const close = () => {
    onClose();
    create.reset();
  };
  const created = create.data;
  const mustStay = created !== undefined || create.isPending;
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={created === undefined ? 'Create API key' : `API key “${created.api_key.name}” created`}
      size="lg"
      // A stray click must not lose a value that is never shown again, nor one that is being created.
      closeOnClickOutside={!mustStay}
      closeOnEscape={!mustStay}
    >
      {created === undefined ? (
        <CreateKeyForm create={create} onCancel={close} />
      ) : (
        <KeyValue value={created.value} onDone={close} />
      )}
    </Modal>
  );
}

interface CreateKeyFormProps {
  readonly create: ReturnType<typeof useCreateApiKey>;
  readonly onCancel: () => void;
}

function CreateKeyForm({ create, onCancel }: CreateKeyFormProps) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '', expiry: 'never' },
    validate: ({ name, expiry }) => validateBy(createApiKeySchema)({ name, expires_at: expiryOf(expiry, Date.now()) }),
  });
  const submit = form.onSubmit(({ name, expiry }) =>
    create.mutate(
      { name, expires_at: expiryOf(expiry, Date.now()) },
      { onError: (error) => form.setErrors(fieldErrorsOf(error)) },
    ),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {create.isError && <ErrorNotice title="Could not create the API key" error={create.error} />}
        <TextInput
          label="Name"
          description="Where you use the key, such as production."
          placeholder="production"
          data-autofocus
          autoComplete="off"
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <NativeSelect
          label="Expires"
          data={EXPIRY_CHOICES.map(({ value, label }) => ({ value, label }))}
          key={form.key('expiry')}
          {...form.getInputProps('expiry')}
        />
        <DialogButtons label="Create API key" isPending={create.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
