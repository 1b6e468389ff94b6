import type { MemberBody } from '@outdial/contracts';
import { ConfirmDialog } from '../../shared/components/confirm-dialog.tsx';
import { notifyDone } from '../../shared/components/notify.tsx';
import type { DialogAbout } from '../../shared/hooks/use-dialog-about.ts';
import { useSession } from '../../shared/session/session.ts';
import { useRemoveMember } from './queries.ts';

interface RemoveMemberDialogProps {
  readonly accountId: string;
  readonly dialog: DialogAbout<MemberBody>;
}

export function RemoveMemberDialog({ accountId, dialog }: RemoveMemberDialogProps) {
  const remove = useRemoveMember(accountId);
  const { user } = useSession();
  const { subject: member, isOpen } = dialog;
  const isSelf = member?.user_id === user.id;
  const close = () => {
    dialog.close();
    remove.reset();
  };
  const confirm = () => {
    if (member === null) return;
    remove.mutate(member.user_id, {
      onSuccess: () => {
        close();
        notifyDone(isSelf ? 'You have left the account.' : `${member.name} was removed.`);
      },
    });
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={isSelf ? 'Leave this account?' : `Remove ${member?.name ?? ''}?`}
      confirmLabel={isSelf ? 'Leave account' : 'Remove member'}
      onConfirm={confirm}
      isPending={remove.isPending}
      error={remove.error}
    >
      {isSelf
        ? 'You see nothing of it any more until somebody invites you again.'
        : 'They see nothing of this account any more, from the next moment on. Keys that they made go on working: revoke those that they know.'}
    </ConfirmDialog>
  );
}
