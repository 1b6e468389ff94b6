import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { credentialsQuery } from '../../../shared/account/credentials.ts';
import { useAccount } from '../../../shared/session/account.ts';
import { credentialChoices } from '../draft/credential-choices.ts';
import type { ModelDraft } from '../draft/model-draft.ts';
import { useConductedFormContext } from '../form-context.ts';
import { LineField } from './inputs.tsx';

interface CredentialFieldProps {
  /** Of the model, in the form. */
  readonly path: string;
  readonly model: ModelDraft;
}

/** The credential of a model. Only owners may list credentials: a member types its name. */
export function CredentialField({ path, model }: CredentialFieldProps) {
  const { account_id: accountId, isOwner } = useAccount();
  if (isOwner) return <CredentialChoice path={path} model={model} accountId={accountId} />;
  return (
    <LineField
      path={`${path}.credential`}
      label="Credential"
      description="Its name, which an owner can tell you. Empty: the account’s only one for the provider, else the operator’s."
    />
  );
}

function CredentialChoice({ path, model, accountId }: CredentialFieldProps & { readonly accountId: string }) {
  const form = useConductedFormContext();
  const credentials = useQuery(credentialsQuery(accountId));
  return (
    <NativeSelect
      label="Credential"
      description={
        credentials.isError
          ? 'Could not read your credentials. Reload the page.'
          : 'Automatic: your only one for the provider, else the operator’s.'
      }
      data={credentialChoices(model, credentials.data)}
      {...form.getInputProps(`${path}.credential`)}
    />
  );
}
