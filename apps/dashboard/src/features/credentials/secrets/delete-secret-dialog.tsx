import { Stack, Text } from '@mantine/core';
import type { SecretBody } from '@outdial/contracts';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { notifyDone } from '../../../shared/components/notify.tsx';
import type { DialogAbout } from '../../../shared/hooks/use-dialog-about.ts';
import { AgentsAffected } from '../agents-affected.tsx';
import { sendsSecret } from '../dependents.ts';
import { useDeleteSecret } from '../queries.ts';

interface DeleteSecretDialogProps {
  readonly accountId: string;
  readonly dialog: DialogAbout<SecretBody>;
}

export function DeleteSecretDialog({ accountId, dialog }: DeleteSecretDialogProps) {
  const { subject: secret, isOpen } = dialog;
  const remove = useDeleteSecret(accountId);
  const confirm = () => {
    if (secret === null) return;
    remove.mutate(secret.name, {
      onSuccess: () => {
        dialog.close();
        notifyDone(`Secret ${secret.name} deleted.`);
      },
    });
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={dialog.close}
      title={secret === null ? '' : `Delete ${secret.name}?`}
      confirmLabel="Delete secret"
      onConfirm={confirm}
      action={remove}
    >
      {secret !== null && (
        <Stack gap="sm">
          <Text size="sm">The value is deleted. You cannot undo this.</Text>
          <AgentsAffected
            accountId={accountId}
            consequencesFor={(agents) => [
              {
                words: 'Tools of these agents send it, and fail from then on:',
                agents: agents.filter(({ settings }) => sendsSecret(settings, secret.name)),
              },
            ]}
            noneText="No tool of an agent sends this secret."
          />
        </Stack>
      )}
    </ConfirmDialog>
  );
}
