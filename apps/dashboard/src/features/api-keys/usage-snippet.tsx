import { Anchor, Code, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { CopyText } from '../../shared/components/copy-text.tsx';
import { serviceQuery } from '../../shared/session/service.ts';
import { CommandBlock } from './command-block.tsx';
import { placeCallCommand } from './curl-command.ts';

/** Shows how to use a key. */
export function UsageSnippet() {
  const service = useQuery(serviceQuery);
  const baseUrl = service.data?.base_url;
  return (
    <Paper withBorder radius="lg" p="lg">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            Use your API key
          </Title>
          <Anchor href="/docs/api" target="_blank" rel="noreferrer" size="sm">
            API reference <IconExternalLink size={14} style={{ verticalAlign: '-2px' }} aria-label="(new tab)" />
          </Anchor>
        </Group>
        {baseUrl === undefined ? (
          <Skeleton h={120} />
        ) : (
          <>
            <Group gap="xs" wrap="nowrap">
              <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
                Base URL
              </Text>
              <Code style={{ overflowWrap: 'anywhere' }}>{baseUrl}</Code>
              <CopyText text={baseUrl} label="Copy base URL" />
            </Group>
            <CommandBlock label="Place a call" command={placeCallCommand(baseUrl)} />
          </>
        )}
      </Stack>
    </Paper>
  );
}
