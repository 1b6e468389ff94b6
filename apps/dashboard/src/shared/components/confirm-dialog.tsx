import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The consequences, and whether they can be undone. */
  readonly children: ReactNode;
  /** The action, not `OK`: `Revoke key`. */
  readonly confirmLabel: string;
  readonly onConfirm: () => void;
  readonly isPending: boolean;
  readonly error: unknown;
}

/** Asks for confirmation before an action with consequences. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title, children, confirmLabel, onConfirm, isPending, error } = props;
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} centered>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        {error !== null && error !== undefined && <ErrorNotice title="Something went wrong" error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red" onClick={onConfirm} loading={isPending}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
