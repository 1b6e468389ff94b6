import { Anchor, Code, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { CopyText } from '../../shared/components/copy-text.tsx';
import { serviceQuery } from '../../shared/session/service.ts';
import { CommandBlock } from './command-block.tsx';
import { placeCallCommand } from './curl-command.ts';

/** How a key is used. */
export function UsageSnippet() {
  const service = useQuery(serviceQuery);
  const baseUrl = service.data?.base_url;
  return (
    <Paper withBorder radius="lg" p="lg">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            Using a key
          </Title>
          <Anchor href="/docs/api" target="_blank" rel="noreferrer" size="sm">
            API reference <IconExternalLink size={14} style={{ verticalAlign: '-2px' }} aria-label="(new tab)" />
          </Anchor>
        </Group>
        {baseUrl === undefined ? (
          <Skeleton h={120} />
        ) : (
          <>
            <Group gap="xs">
              <Text size="sm">Base URL</Text>
              <Code>{baseUrl}</Code>
              <CopyText text={baseUrl} label="Copy the base URL" />
            </Group>
            <CommandBlock label="Place a call" command={placeCallCommand(baseUrl)} />
          </>
        )}
      </Stack>
    </Paper>
  );
}
