import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { sessionQuery } from '../session/session.ts';

interface LeaveGuardProps {
  /** Called when the user is about to leave the page. */
  readonly isDirty: () => boolean;
  readonly onLeave: () => void;
  /** What would be lost. Default: changes that are not saved. */
  readonly words?: LeaveWords;
}

export interface LeaveWords {
  readonly title: string;
  readonly text: string;
  readonly stay: string;
  readonly leave: string;
}

const UNSAVED: LeaveWords = {
  title: 'Discard unsaved changes?',
  text: 'Your changes on this page will be lost.',
  stay: 'Keep editing',
  leave: 'Discard changes',
};

/**
 * Asks before the user leaves a page with unsaved changes. A redirect to the sign-in page does not ask: the draft is
 * kept.
 */
export function LeaveGuard({ isDirty, onLeave, words = UNSAVED }: LeaveGuardProps) {
  const queryClient = useQueryClient();
  const isSignedIn = () => queryClient.getQueryData(sessionQuery.queryKey) !== null;
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isSignedIn() && isDirty(),
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <Modal opened={blocker.status === 'blocked'} onClose={() => blocker.reset?.()} title={words.title} centered>
      <Stack>
        <Text size="sm">{words.text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => blocker.reset?.()}>
            {words.stay}
          </Button>
          <Button
            color="red"
            onClick={() => {
              onLeave();
              blocker.proceed?.();
            }}
          >
            {words.leave}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
