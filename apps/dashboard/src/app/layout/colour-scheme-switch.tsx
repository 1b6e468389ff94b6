import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const;
const LABELS = { auto: 'as the system has it', light: 'light', dark: 'dark' } as const;
const ICONS = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon } as const;

export function ColourSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const SchemeIcon = ICONS[colorScheme];
  const label = `Colours: ${LABELS[colorScheme]}. Change to ${LABELS[NEXT[colorScheme]]}`;
  return (
    // No tooltip of the library's: it brings along what places one, which the sign-in needs for nothing else.
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
