import { Modal, NativeSelect, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { createCredentialSchema, PROVIDER_REGIONS, PROVIDERS, type Provider } from '@outdial/contracts';
import { DialogButtons } from '../../shared/components/dialog-buttons.tsx';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { notifyDone } from '../../shared/components/notify.tsx';
import { fieldErrorsOf, validateBy } from '../../shared/forms/field-errors.ts';
import { PROVIDER_WORDS } from '../../shared/words/providers.ts';
import { credentialInputOf, EMPTY_CREDENTIAL, providerIn } from './credential-form.ts';
import { LimitFields } from './limit-fields.tsx';
import { useCreateCredential } from './queries.ts';

interface CreateCredentialDialogProps {
  readonly accountId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Of providers that need an address. */
const ADDRESS_HINTS: Readonly<Partial<Record<Provider, string>>> = {
  azure: 'The endpoint of the resource, as the Azure portal shows it.',
  openai_compatible: 'The address of the server, which must be on the internet.',
  local: 'The address of your server, which must be on the internet. The operator adds those of private networks.',
};

export function CreateCredentialDialog({ accountId, isOpen, onClose }: CreateCredentialDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Add credential" size="lg">
      <CreateForm accountId={accountId} onDone={onClose} />
    </Modal>
  );
}

function CreateForm({ accountId, onDone }: { readonly accountId: string; readonly onDone: () => void }) {
  const create = useCreateCredential(accountId);
  const form = useForm({
    initialValues: EMPTY_CREDENTIAL,
    validate: (values) => validateBy(createCredentialSchema)(credentialInputOf(values)),
  });
  const provider = providerIn(form.values);
  const regions = PROVIDER_REGIONS[provider];
  const submit = form.onSubmit((values) =>
    create.mutate(credentialInputOf(values), {
      onSuccess: ({ credential }) => {
        onDone();
        notifyDone(`Credential “${credential.name}” added. Check it now.`);
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {create.isError && <ErrorNotice title="Could not add the credential" error={create.error} />}
        <NativeSelect
          label="Provider"
          description="Whose key it is."
          data={PROVIDERS.map((value) => ({ value, label: PROVIDER_WORDS[value] }))}
          data-autofocus
          {...form.getInputProps('provider')}
        />
        <TextInput
          label="Name"
          description="Unique in the account. Agents name it, such as production."
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <PasswordInput
          label="Key"
          description={
            provider === 'local'
              ? 'The server’s API key. Any text if it asks for none.'
              : 'The provider’s API key. We seal it and never show it again.'
          }
          autoComplete="off"
          {...form.getInputProps('api_key')}
        />
        <TextInput
          label="Base URL"
          description={ADDRESS_HINTS[provider] ?? 'If it is not the provider’s own address. Usually empty.'}
          placeholder={provider === 'azure' ? 'https://my-resource.openai.azure.com' : 'https://'}
          autoComplete="off"
          {...form.getInputProps('base_url')}
        />
        {regions.length > 0 && (
          <NativeSelect
            label="Region"
            description="Where the provider handles the requests. Keys of a region work only there."
            data={[{ value: '', label: 'Global address' }, ...regions.map((value) => ({ value, label: value }))]}
            {...form.getInputProps('region')}
          />
        )}
        <LimitFields inputProps={(field) => form.getInputProps(field)} />
        <DialogButtons label="Add credential" isPending={create.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}
