import { Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly icon: Icon;
  readonly title: string;
  readonly children: ReactNode;
  /** A button or link to the next step. */
  readonly action?: ReactNode;
}

/** Replaces an empty list: says why it is empty and what to do. */
export function EmptyState({ icon: EmptyIcon, title, children, action }: EmptyStateProps) {
  return (
    <Paper withBorder p="xl" radius="lg">
      <Stack align="center" gap="xs" py="xl" ta="center">
        <ThemeIcon size={44} radius="xl" variant="light">
          <EmptyIcon size={22} stroke={1.6} aria-hidden />
        </ThemeIcon>
        <Title order={2} size="h4" mt="xs">
          {title}
        </Title>
        <Text c="dimmed" maw="32rem">
          {children}
        </Text>
        {action !== undefined && <div style={{ marginTop: 'var(--mantine-spacing-sm)' }}>{action}</div>}
      </Stack>
    </Paper>
  );
}
