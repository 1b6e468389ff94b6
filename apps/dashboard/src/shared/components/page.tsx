import { Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface PageProps {
  readonly title: string;
  /** A sentence on what the page is for. */
  readonly description?: ReactNode;
  /** The buttons beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** What every page begins with: its name, also that of the window, and what can be done on it. */
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
