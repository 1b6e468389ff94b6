import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPhoneX } from '@tabler/icons-react';
import type { CallBody } from '@outdial/contracts';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { endWords } from '../model/end-words.ts';
import { useEndCall, type CallKey } from '../queries/call-query.ts';

interface EndCallProps {
  readonly id: CallKey;
  readonly call: CallBody;
}

/** Ends an open call after confirmation. */
export function EndCall({ id, call }: EndCallProps) {
  const [isOpen, dialog] = useDisclosure(false);
  const end = useEndCall(id);
  const { label, title, consequence } = endWords(call);
  if (call.status === 'ended') return null;
  return (
    <>
      <Button
        color="red"
        variant="light"
        leftSection={<IconPhoneX size={17} aria-hidden />}
        onClick={dialog.open}
        // The next event brings the end; a second request would do nothing.
        disabled={end.isSuccess}
      >
        {end.isSuccess ? 'Ending…' : label}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={dialog.close}
        title={title}
        confirmLabel={label}
        closeLabel={label === 'Cancel call' ? 'Keep call' : 'Cancel'}
        onConfirm={() => end.mutate(undefined, { onSuccess: dialog.close })}
        action={end}
      >
        {consequence}
      </ConfirmDialog>
    </>
  );
}
