import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { sessionQuery } from '../session/session.ts';

interface LeaveGuardProps {
  /** Asked when the page is about to be left. */
  readonly isDirty: () => boolean;
  readonly onLeave: () => void;
}

/** Asks before a page with changes is left. Whoever is led to the sign-in is not asked: the draft waits for them. */
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
      title="Leave without saving?"
      centered
    >
      <Stack>
        <Text size="sm">What you have changed on this page is not saved.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => blocker.reset?.()}>
            Stay
          </Button>
          <Button
            color="red"
            onClick={() => {
              onLeave();
              blocker.proceed?.();
            }}
          >
            Leave
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
