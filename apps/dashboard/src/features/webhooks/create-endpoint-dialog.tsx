import { Checkbox, Modal, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { createWebhookEndpointSchema, WEBHOOK_TYPES, type WebhookType } from '@outdial/contracts';
import { DialogButtons } from '../../shared/components/dialog-buttons.tsx';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { fieldErrorsOf, validateBy } from '../../shared/forms/field-errors.ts';
import { useCreateEndpoint } from './queries.ts';
import { SecretShown } from './secret-shown.tsx';

interface CreateEndpointDialogProps {
  readonly accountId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks for a URL, then shows the secret. The secret exists only while this dialog is open. */
export function CreateEndpointDialog({ accountId, isOpen, onClose }: CreateEndpointDialogProps) {
  const create = useCreateEndpoint(accountId);
  const close = () => {
    onClose();
    create.reset();
  };
  const mustStay = create.data !== undefined || create.isPending;
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={create.data === undefined ? 'Add endpoint' : 'Endpoint created'}
      size="lg"
      // A stray click must not lose a secret that is never shown again.
      closeOnClickOutside={!mustStay}
      closeOnEscape={!mustStay}
    >
      {create.data === undefined ? (
        <CreateForm create={create} onCancel={close} />
      ) : (
        <SecretShown secret={create.data.secret} onDone={close} />
      )}
    </Modal>
  );
}

const EMPTY: { url: string; description: string; events: WebhookType[] } = { url: '', description: '', events: [] };

interface CreateFormProps {
  readonly create: ReturnType<typeof useCreateEndpoint>;
  readonly onCancel: () => void;
}

function CreateForm({ create, onCancel }: CreateFormProps) {
  const form = useForm({ initialValues: EMPTY, validate: validateBy(createWebhookEndpointSchema) });
  const submit = form.onSubmit((values) =>
    create.mutate(values, { onError: (error) => form.setErrors(fieldErrorsOf(error)) }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {create.isError && <ErrorNotice title="Could not add the endpoint" error={create.error} />}
        <TextInput
          label="URL"
          description="Where Outdial sends webhooks: an https address on the internet."
          placeholder="https://example.com/hooks"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('url')}
        />
        <TextInput
          label="Description"
          description="Your own words. Optional."
          autoComplete="off"
          {...form.getInputProps('description')}
        />
        <Checkbox.Group
          label="Events"
          description="What the endpoint receives. None chosen means all, also those of later versions."
          {...form.getInputProps('events')}
        >
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt="xs">
            {WEBHOOK_TYPES.map((type) => (
              <Checkbox key={type} value={type} label={type} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        <DialogButtons label="Add endpoint" isPending={create.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
