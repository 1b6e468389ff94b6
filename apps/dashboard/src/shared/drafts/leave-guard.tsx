import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { sessionQuery } from '../session/session.ts';

interface LeaveGuardProps {
  /** Called when the user is about to leave the page. */
  readonly isDirty: () => boolean;
  readonly onLeave: () => void;
}

/**
 * Asks before the user leaves a page with unsaved changes. A redirect to the sign-in page does not ask: the draft is
 * kept.
 */
export function LeaveGuard({ isDirty, onLeave }: LeaveGuardProps) {
  const queryClient = useQueryClient();
  const isSignedIn = () => queryClient.getQueryData(sessionQuery.queryKey) !== null;
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isSignedIn() && isDirty(),
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <Modal
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title="Discard unsaved changes?"
      centered
    >
      <Stack>
        <Text size="sm">Your changes on this page will be lost.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => blocker.reset?.()}>
            Keep editing
          </Button>
          <Button
            color="red"
            onClick={() => {
              onLeave();
              blocker.proceed?.();
            }}
          >
            Discard changes
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
