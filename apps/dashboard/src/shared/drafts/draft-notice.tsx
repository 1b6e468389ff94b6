import { Alert, Button, Group, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';

/** Says that a form goes on from what was written before, and offers to begin again. */
export function DraftNotice({ onDiscard }: { readonly onDiscard: () => void }) {
  return (
    <Alert color="blue" variant="light" icon={<IconPencil aria-hidden />} role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">This is what you wrote before and did not send.</Text>
        <Button size="compact-sm" variant="subtle" onClick={onDiscard}>
          Discard draft
        </Button>
      </Group>
    </Alert>
  );
}
