import { Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useShortcut, useShortcutList } from '../../shared/shortcuts/shortcuts.ts';
import { useShortcutKeys } from '../../shared/shortcuts/use-shortcut-keys.ts';

/** Makes shortcuts work, and shows on `?` which there are. */
export function ShortcutsHelp() {
  const [isOpen, help] = useDisclosure(false);
  const shortcuts = useShortcutList();
  useShortcutKeys();
  useShortcut('?', 'Show keyboard shortcuts', help.open);
  return (
    <Modal opened={isOpen} onClose={help.close} title="Keyboard shortcuts" size="sm">
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
