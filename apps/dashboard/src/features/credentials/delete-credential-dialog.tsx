import { Stack, Text } from '@mantine/core';
import type { CredentialBody } from '@outdial/contracts';
import { ConfirmDialog } from '../../shared/components/confirm-dialog.tsx';
import { notifyDone } from '../../shared/components/notify.tsx';
import type { DialogAbout } from '../../shared/hooks/use-dialog-about.ts';
import { PROVIDER_WORDS } from '../../shared/words/providers.ts';
import { AgentsAffected, type Consequence } from './agents-affected.tsx';
import type { ConductedAgent } from './conducted-agents.ts';
import { useOfCredential, type CredentialUse } from './dependents.ts';
import { useDeleteCredential } from './queries.ts';

interface DeleteCredentialDialogProps {
  readonly accountId: string;
  readonly credentials: readonly CredentialBody[];
  readonly dialog: DialogAbout<CredentialBody>;
}

export function DeleteCredentialDialog({ accountId, credentials, dialog }: DeleteCredentialDialogProps) {
  const { subject: credential, isOpen } = dialog;
  const remove = useDeleteCredential(accountId);
  const confirm = () => {
    if (credential === null) return;
    remove.mutate(credential.id, {
      onSuccess: () => {
        dialog.close();
        notifyDone(`Credential “${credential.name}” deleted.`);
      },
    });
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={dialog.close}
      title={credential === null ? '' : `Delete “${credential.name}”?`}
      confirmLabel="Delete credential"
      onConfirm={confirm}
      action={remove}
    >
      {credential !== null && (
        <Stack gap="sm">
          <Text size="sm">The key is deleted. You cannot undo this. Calls in progress continue.</Text>
          <AgentsAffected
            accountId={accountId}
            consequencesFor={(agents) => consequencesOf(credential, credentials, agents)}
            noneText="No agent uses this credential."
          />
        </Stack>
      )}
    </ConfirmDialog>
  );
}

function consequencesOf(
  credential: CredentialBody,
  all: readonly CredentialBody[],
  agents: readonly ConductedAgent[],
): readonly Consequence[] {
  const others = all.filter(({ id }) => id !== credential.id);
  const using = (use: CredentialUse) =>
    agents.filter(({ settings }) => useOfCredential(settings, credential, others) === use);
  const provider = PROVIDER_WORDS[credential.provider];
  return [
    { words: 'These agents name it, and place no calls until you change them:', agents: using('named') },
    {
      words: `These agents use it as your only credential for ${provider}. They then need the operator’s:`,
      agents: using('unnamed'),
    },
  ];
}
