import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  readonly hint?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A titled section of a page. */
export function Section({ title, hint, actions, children }: SectionProps) {
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Group justify="space-between" align="flex-end">
        <Stack gap={2}>
          <Title order={2} size="h4">
            {title}
          </Title>
          {hint !== undefined && (
            <Text size="sm" c="dimmed">
              {hint}
            </Text>
          )}
        </Stack>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
