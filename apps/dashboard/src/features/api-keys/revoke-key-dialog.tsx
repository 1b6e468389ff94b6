import type { ApiKeyBody } from '@outdial/contracts';
import { ConfirmDialog } from '../../shared/components/confirm-dialog.tsx';
import { notifyDone } from '../../shared/components/notify.tsx';
import type { DialogAbout } from '../../shared/hooks/use-dialog-about.ts';
import { useRevokeApiKey } from './queries.ts';

interface RevokeKeyDialogProps {
  readonly accountId: string;
  readonly dialog: DialogAbout<ApiKeyBody>;
}

export function RevokeKeyDialog({ accountId, dialog }: RevokeKeyDialogProps) {
  const { subject: apiKey, isOpen } = dialog;
  const revoke = useRevokeApiKey(accountId);
  const confirm = () => {
    if (apiKey === null) return;
    revoke.mutate(apiKey.id, {
      onSuccess: () => {
        dialog.close();
        notifyDone(`API key “${apiKey.name}” revoked.`);
      },
    });
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={dialog.close}
      title={apiKey === null ? '' : `Revoke “${apiKey.name}”?`}
      confirmLabel="Revoke API key"
      onConfirm={confirm}
      action={revoke}
    >
      The key stops working within a second. You cannot undo this. Calls in progress continue.
    </ConfirmDialog>
  );
}
