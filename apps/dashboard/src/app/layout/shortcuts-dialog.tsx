import { Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { useShortcutList } from '../../shared/shortcuts/shortcuts.ts';

interface ShortcutsDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export default function ShortcutsDialog({ isOpen, onClose }: ShortcutsDialogProps) {
  const shortcuts = useShortcutList();
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts" size="sm">
      <Stack gap="xs" component="dl" m={0}>
        {shortcuts.map(({ keys, label }) => (
          <Group key={keys} justify="space-between" wrap="nowrap">
            <Text component="dt" size="sm">
              {label}
            </Text>
            <Group component="dd" gap={6} m={0} wrap="nowrap">
              {keys.split(' ').map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Modal>
  );
}
