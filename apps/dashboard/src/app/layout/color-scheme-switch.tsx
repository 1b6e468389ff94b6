import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const;
const LABELS = { auto: 'system', light: 'light', dark: 'dark' } as const;
const ICONS = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon } as const;

export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const SchemeIcon = ICONS[colorScheme];
  const label = `Theme: ${LABELS[colorScheme]}. Switch to ${LABELS[NEXT[colorScheme]]}`;
  return (
    // A `title`, not the library's tooltip: its positioning code would only grow the bundle of the sign-in page.
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(NEXT[colorScheme])}
    >
      <SchemeIcon size={18} stroke={1.6} aria-hidden />
    </ActionIcon>
  );
}
