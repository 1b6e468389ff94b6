import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useAgentFormContext } from './form-context.ts';

/** Asks before a page with changes is left. */
export function UnsavedChanges() {
  const form = useAgentFormContext();
  const blocker = useBlocker({
    shouldBlockFn: () => form.isDirty(),
    enableBeforeUnload: () => form.isDirty(),
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
          <Button color="red" onClick={() => blocker.proceed?.()}>
            Leave
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
