import { Button, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { OperationsBody } from '@outdial/contracts';
import { IconPhoneCall, IconPhoneOff } from '@tabler/icons-react';
import { ConfirmDialog } from '../../shared/components/confirm-dialog.tsx';
import { RelativeTime } from '../../shared/components/time-text.tsx';
import { formatCount } from '../../shared/format/numbers.ts';
import { useSetDialing } from './queries.ts';

interface DialingPanelProps {
  readonly dialling: OperationsBody['dialling'];
  readonly queued: number;
}

/** Pauses and resumes dialing for the whole platform. */
export function DialingPanel({ dialling, queued }: DialingPanelProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { paused } = dialling;
  const StateIcon = paused ? IconPhoneOff : IconPhoneCall;
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-label="Dialing">
      <Group justify="space-between" gap="md">
        <Group gap="md" wrap="nowrap" flex="1 1 20rem">
          <ThemeIcon size={44} radius="xl" variant="light" color={paused ? 'red' : 'teal'}>
            <StateIcon size={22} stroke={1.6} aria-hidden />
          </ThemeIcon>
          <Stack gap={2}>
            <div role="status">
              <Title order={2} size="h4">
                {paused ? 'Dialing is paused' : 'Dialing is on'}
              </Title>
            </div>
            <Text size="sm" c="dimmed" component="div">
              {paused ? `No new calls are dialed. ${describeQueue(queued)} ` : 'Workers dial accepted calls. '}
              <LastChange dialling={dialling} />
            </Text>
          </Stack>
        </Group>
        <Button color={paused ? 'iris' : 'red'} variant={paused ? 'filled' : 'light'} onClick={open}>
          {paused ? 'Resume dialing' : 'Pause dialing'}
        </Button>
      </Group>
      <SwitchDialog isOpen={isOpen} onClose={close} paused={paused} />
    </Paper>
  );
}

function describeQueue(queued: number): string {
  return queued === 1 ? '1 call is queued.' : `${formatCount(queued)} calls are queued.`;
}

function LastChange({ dialling: { paused, changed_at: at, changed_by: by } }: Pick<DialingPanelProps, 'dialling'>) {
  if (at === null) return null;
  return (
    <>
      {paused ? 'Paused ' : 'Resumed '}
      <RelativeTime at={at} />
      {by !== null && ` by ${by}`}.
    </>
  );
}

interface SwitchDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly paused: boolean;
}

function SwitchDialog({ isOpen, onClose, paused }: SwitchDialogProps) {
  const set = useSetDialing();
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={paused ? 'Resume dialing?' : 'Pause dialing for all accounts?'}
      confirmLabel={paused ? 'Resume dialing' : 'Pause dialing'}
      onConfirm={() => set.mutate(!paused, { onSuccess: onClose })}
      action={set}
    >
      {paused
        ? 'Workers start dialing queued calls within about a second, as fast as trunks allow.'
        : 'Workers stop dialing within a second. Calls in progress continue. New calls are still accepted, but wait in the queue and eventually expire.'}
    </ConfirmDialog>
  );
}
