import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';

/** What the dialog confirms: a mutation. */
interface Action {
  readonly isPending: boolean;
  readonly error: unknown;
  readonly reset: () => void;
}

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The consequences, and whether they can be undone. */
  readonly children: ReactNode;
  /** The action, not `OK`: `Revoke key`. */
  readonly confirmLabel: string;
  /** The button that changes nothing. Default: `Cancel`, unless that could be mistaken for the action. */
  readonly closeLabel?: string;
  readonly onConfirm: () => void;
  readonly action: Action;
}

/** Asks for confirmation before an action with consequences. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title, children, confirmLabel, closeLabel = 'Cancel', onConfirm, action } = props;
  const { isPending, error } = action;
  const close = () => {
    onClose();
    // Otherwise a failure would show in the next dialog, which may be about something else.
    action.reset();
  };
  return (
    <Modal opened={isOpen} onClose={close} title={title} centered>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        {error !== null && error !== undefined && <ErrorNotice title="Something went wrong" error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {closeLabel}
          </Button>
          <Button color="red" onClick={onConfirm} loading={isPending}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
