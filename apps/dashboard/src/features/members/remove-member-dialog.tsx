import type { MemberBody } from '@outdial/contracts';
import { useNavigate } from '@tanstack/react-router';
import { ConfirmDialog } from '../../shared/components/confirm-dialog.tsx';
import { notifyDone } from '../../shared/components/notify.tsx';
import type { DialogAbout } from '../../shared/hooks/use-dialog-about.ts';
import { useSession } from '../../shared/session/session.ts';
import { useLeaveAccount, useRemoveMember } from './queries.ts';

interface RemoveMemberDialogProps {
  readonly accountId: string;
  readonly dialog: DialogAbout<MemberBody>;
}

export function RemoveMemberDialog({ accountId, dialog }: RemoveMemberDialogProps) {
  const remove = useRemoveMember(accountId);
  const { user } = useSession();
  const { subject: member, isOpen } = dialog;
  if (member?.user_id === user.id) return <LeaveDialog accountId={accountId} dialog={dialog} userId={user.id} />;
  const confirm = () => {
    if (member === null) return;
    remove.mutate(member.user_id, {
      onSuccess: () => {
        dialog.close();
        notifyDone(`${member.name} removed.`);
      },
    });
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={dialog.close}
      title={`Remove ${member?.name ?? ''}?`}
      confirmLabel="Remove member"
      onConfirm={confirm}
      action={remove}
    >
      They lose access to this account immediately. API keys they created keep working: revoke any key they know.
    </ConfirmDialog>
  );
}

function LeaveDialog({ accountId, dialog, userId }: RemoveMemberDialogProps & { readonly userId: string }) {
  const navigate = useNavigate();
  const leave = useLeaveAccount(accountId, async () => {
    await navigate({ to: '/profile', replace: true });
    notifyDone('You left the account.');
  });
  return (
    <ConfirmDialog
      isOpen={dialog.isOpen}
      onClose={dialog.close}
      title="Leave this account?"
      confirmLabel="Leave account"
      onConfirm={() => leave.mutate(userId)}
      action={leave}
    >
      You lose access until an owner invites you again.
    </ConfirmDialog>
  );
}
