import { Button, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { optOutCallSchema, type CallBody } from '@outdial/contracts';
import { IconBan } from '@tabler/icons-react';
import type { SuppressionCheck } from '../../../shared/account/suppressions.ts';
import { DialogButtons } from '../../../shared/components/dialog-buttons.tsx';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { notifyDone } from '../../../shared/components/notify.tsx';
import { formatPhoneNumber } from '../../../shared/format/numbers.ts';
import { validateBy } from '../../../shared/forms/field-errors.ts';
import { optOutConsequence } from '../model/opt-out-words.ts';
import type { CallKey } from '../queries/call-query.ts';
import { useOptOut } from '../queries/opt-out.ts';

interface NeverCallAgainProps {
  readonly id: CallKey;
  readonly call: CallBody;
  /** Null: not known yet. */
  readonly check: SuppressionCheck | null;
}

/** Records that the callee wants no more calls. Nothing for a person who has opted out. */
export function NeverCallAgain({ id, call, check }: NeverCallAgainProps) {
  const [isOpen, dialog] = useDisclosure(false);
  if (check?.suppression?.kind === 'opt_out') return null;
  return (
    <>
      <Button variant="default" leftSection={<IconBan size={17} aria-hidden />} onClick={dialog.open}>
        Never call again
      </Button>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title={`Never call ${formatPhoneNumber(call.callee_number)} again?`}
      >
        <OptOutForm id={id} call={call} onDone={dialog.close} />
      </Modal>
    </>
  );
}

interface OptOutFormProps extends Pick<NeverCallAgainProps, 'id' | 'call'> {
  readonly onDone: () => void;
}

function OptOutForm({ id, call, onDone }: OptOutFormProps) {
  const optOut = useOptOut(id);
  const form = useForm({ initialValues: { reason: '' }, validate: validateBy(optOutCallSchema) });
  const submit = form.onSubmit(({ reason }) =>
    optOut.mutate(reason, {
      onSuccess: () => {
        onDone();
        notifyDone(`${formatPhoneNumber(call.callee_number)} is on your do-not-call list.`);
      },
    }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {optOut.isError && <ErrorNotice title="Could not add the number" error={optOut.error} />}
        <Text size="sm">
          The number goes on your do-not-call list as an opt-out. Your account never calls it again, and what is
          scheduled to it ends without being dialed. Only your operator can undo this. {optOutConsequence(call)}
        </Text>
        <Textarea
          label="Reason"
          description="What the person said, for everyone who reads the list. Optional."
          autosize
          minRows={2}
          data-autofocus
          {...form.getInputProps('reason')}
        />
        <DialogButtons label="Never call again" isPending={optOut.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}
