import { Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface PageProps {
  readonly title: string;
  /** One sentence on the purpose of the page. */
  readonly description?: ReactNode;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every page: its title, which is also the window's, its description and its actions. */
export function Page({ title, description, actions, children }: PageProps) {
  useDocumentTitle(`${title} · Outdial`);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={4} miw={0} style={{ overflowWrap: 'anywhere' }}>
          <Title order={1}>{title}</Title>
          {description !== undefined && (
            <Text c="dimmed" size="sm" maw="42rem">
              {description}
            </Text>
          )}
        </Stack>
        {actions !== undefined && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
