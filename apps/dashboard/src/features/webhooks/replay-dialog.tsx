import { Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { WEBHOOK_REPLAY_CHOICES, type WebhookReplayChoice } from '@outdial/contracts';
import { DialogButtons } from '../../shared/components/dialog-buttons.tsx';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { notifyDone } from '../../shared/components/notify.tsx';
import { useReplay } from './queries.ts';

interface ReplayDialogProps {
  readonly accountId: string;
  readonly endpointId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function ReplayDialog({ accountId, endpointId, isOpen, onClose }: ReplayDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Replay events">
      <ReplayForm accountId={accountId} endpointId={endpointId} onDone={onClose} />
    </Modal>
  );
}

const MS_PER_HOUR = 3_600_000;
const SPANS = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last day' },
  { value: '168', label: 'The last 7 days' },
  { value: '719', label: 'The last 30 days' },
];
const CHOICE_WORDS: Readonly<Record<WebhookReplayChoice, string>> = {
  failed_and_missing: 'What failed or is missing',
  failed: 'What failed',
  missing: 'What is missing',
  all: 'Everything again',
};

interface ReplayFormProps extends Pick<ReplayDialogProps, 'accountId' | 'endpointId'> {
  readonly onDone: () => void;
}

function ReplayForm({ accountId, endpointId, onDone }: ReplayFormProps) {
  const replay = useReplay(accountId, endpointId);
  const form = useForm({ initialValues: { hours: '24', only: 'failed_and_missing' } });
  const submit = form.onSubmit(({ hours, only }) => {
    const since = new Date(Date.now() - Number(hours) * MS_PER_HOUR).toISOString();
    const choice = WEBHOOK_REPLAY_CHOICES.find((known) => known === only);
    replay.mutate(
      { since, ...(choice === undefined ? {} : { only: choice }) },
      {
        onSuccess: () => {
          onDone();
          notifyDone('The replay has begun.');
        },
      },
    );
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {replay.isError && <ErrorNotice title="Could not begin the replay" error={replay.error} />}
        <NativeSelect label="Events of" data={SPANS} data-autofocus {...form.getInputProps('hours')} />
        <NativeSelect
          label="Send"
          data={WEBHOOK_REPLAY_CHOICES.map((value) => ({ value, label: CHOICE_WORDS[value] }))}
          {...form.getInputProps('only')}
        />
        <Text size="sm" c="dimmed">
          Messages that were sent before keep their webhook-id.
        </Text>
        <DialogButtons label="Begin replay" isPending={replay.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}
