import { Center, Container, Group, Stack } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { Brand } from './brand.tsx';
import { ColourSchemeSwitch } from './colour-scheme-switch.tsx';

/** Around the pages of whoever has not signed in. */
export function OpenLayout() {
  return (
    <Container size="xl" py="md" mih="100vh">
      <Stack gap="xl">
        <Group justify="space-between" component="header">
          <Brand />
          <ColourSchemeSwitch />
        </Group>
        <Center component="main" py={{ base: 'sm', sm: 'xl' }}>
          <Outlet />
        </Center>
      </Stack>
    </Container>
  );
}
