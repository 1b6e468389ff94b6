import { Paper, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface PublicCardProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
  /** Links to other pages, below the card. */
  readonly footer?: ReactNode;
}

/** The only content of a page that needs no sign-in. */
export function PublicCard({ title, description, children, footer }: PublicCardProps) {
  useDocumentTitle(`${title} · Outdial`);
  return (
    <Stack w="100%" maw={420} gap="lg">
      <Paper withBorder radius="lg" p={{ base: 'lg', sm: 'xl' }} shadow="xs">
        <Stack gap="lg">
          <Stack gap={6}>
            <Title order={1} size="h2">
              {title}
            </Title>
            {description !== undefined && <Text c="dimmed">{description}</Text>}
          </Stack>
          {children}
        </Stack>
      </Paper>
      {footer !== undefined && (
        <Text ta="center" size="sm">
          {footer}
        </Text>
      )}
    </Stack>
  );
}
