import type { WorkerBody } from '@outdial/contracts';
import { ConfirmDialog } from '../../shared/components/confirm-dialog.tsx';
import type { DialogAbout } from '../../shared/hooks/use-dialog-about.ts';
import { useSetDraining } from './queries.ts';
import { isHeldBack } from './worker-words.ts';

export function DrainDialog({ dialog }: { readonly dialog: DialogAbout<WorkerBody> }) {
  const set = useSetDraining();
  const { subject: worker, isOpen } = dialog;
  const close = () => {
    dialog.close();
    set.reset();
  };
  const resumes = worker !== null && isHeldBack(worker);
  const confirm = () => {
    if (worker !== null) set.mutate({ workerId: worker.id, draining: !resumes }, { onSuccess: close });
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={resumes ? 'Let it take calls again?' : 'Drain this worker?'}
      confirmLabel={resumes ? 'Resume worker' : 'Drain worker'}
      onConfirm={confirm}
      isPending={set.isPending}
      error={set.error}
    >
      {resumes
        ? `${worker?.host ?? ''} takes calls off the queue again within two seconds.`
        : `${worker?.host ?? ''} takes no more calls from within two seconds on. Those that it has go on to their end, and it goes on mending what others left. Once it is drained it can be stopped without ending a call; other workers take what waits.`}
    </ConfirmDialog>
  );
}
