import { Alert } from '@mantine/core';
import type { WorkerBody } from '@outdial/contracts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ConfirmDialog } from '../../shared/components/confirm-dialog.tsx';
import type { DialogAbout } from '../../shared/hooks/use-dialog-about.ts';
import { useSetDraining } from './queries.ts';
import { isDraining, isLastTaking } from './worker-words.ts';

interface DrainDialogProps {
  readonly dialog: DialogAbout<WorkerBody>;
  readonly workers: readonly WorkerBody[];
}

export function DrainDialog({ dialog, workers }: DrainDialogProps) {
  const set = useSetDraining();
  const { subject: worker, isOpen } = dialog;
  const resumes = worker !== null && isDraining(worker);
  const confirm = () => {
    if (worker !== null) set.mutate({ workerId: worker.id, draining: !resumes }, { onSuccess: dialog.close });
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={dialog.close}
      title={resumes ? 'Resume this worker?' : 'Drain this worker?'}
      confirmLabel={resumes ? 'Resume worker' : 'Drain worker'}
      onConfirm={confirm}
      action={set}
    >
      {worker !== null && isLastTaking(worker, workers) && (
        <Alert
          color="orange"
          variant="light"
          mb="md"
          icon={<IconAlertTriangle aria-hidden />}
          title="This is the last active worker"
        >
          No other worker takes calls. New calls wait in the queue and expire unless another worker starts in time.
        </Alert>
      )}
      {resumes
        ? `${worker?.host ?? ''} takes calls from the queue again within two seconds.`
        : `${worker?.host ?? ''} stops taking new calls within two seconds, and its current calls continue. Once it is drained, you can stop it without ending a call. Other workers take the queued calls.`}
    </ConfirmDialog>
  );
}
