import { Alert } from '@mantine/core';
import type { WorkerBody } from '@outdial/contracts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ConfirmDialog } from '../../shared/components/confirm-dialog.tsx';
import type { DialogAbout } from '../../shared/hooks/use-dialog-about.ts';
import { useSetDraining } from './queries.ts';
import { isHeldBack, isLastTaking } from './worker-words.ts';

interface DrainDialogProps {
  readonly dialog: DialogAbout<WorkerBody>;
  readonly workers: readonly WorkerBody[];
}

export function DrainDialog({ dialog, workers }: DrainDialogProps) {
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
      {worker !== null && isLastTaking(worker, workers) && (
        <Alert color="orange" variant="light" mb="md" icon={<IconAlertTriangle aria-hidden />} title="The last worker">
          No other worker takes calls. New calls wait in the queue and expire there, unless another worker takes calls
          in time.
        </Alert>
      )}
      {resumes
        ? `${worker?.host ?? ''} takes calls off the queue again within two seconds.`
        : `${worker?.host ?? ''} takes no more calls from within two seconds on. Those that it has go on to their end, and it goes on mending what others left. Once it is drained it can be stopped without ending a call; other workers take what waits.`}
    </ConfirmDialog>
  );
}
