import { Alert, Button, Group, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';

/** Says that the form restored a draft, and offers to discard it. */
export function DraftNotice({ onDiscard }: { readonly onDiscard: () => void }) {
  return (
    <Alert color="blue" variant="light" icon={<IconPencil aria-hidden />} role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">We restored your unsaved draft.</Text>
        <Button size="compact-sm" variant="subtle" onClick={onDiscard}>
          Discard draft
        </Button>
      </Group>
    </Alert>
  );
}
