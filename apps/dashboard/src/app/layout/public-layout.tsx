import { Center, Container, Group, Stack } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { Brand } from './brand.tsx';
import { ColorSchemeSwitch } from './color-scheme-switch.tsx';

/** Wraps the pages that need no sign-in. */
export function PublicLayout() {
  return (
    <Container size="xl" py="md" mih="100vh">
      <Stack gap="xl">
        <Group justify="space-between" component="header">
          <Brand />
          <ColorSchemeSwitch />
        </Group>
        <Center component="main" py={{ base: 'sm', sm: 'xl' }}>
          <Outlet />
        </Center>
      </Stack>
    </Container>
  );
}
