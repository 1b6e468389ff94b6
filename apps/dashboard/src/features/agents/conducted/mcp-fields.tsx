import { Button, Group, List, SimpleGrid, Stack, Text } from '@mantine/core';
import '@mantine/core/styles/List.css';
import { IconRefresh } from '@tabler/icons-react';
import { useConductedFormContext } from '../form-context.ts';
import { LineField, NumberField, PhrasesField } from './inputs.tsx';
import { Headers, SpeakFields, type ToolProps } from './request-fields.tsx';

const SHOWN_DESCRIPTION = 160;

/** A server of the Model Context Protocol, and the tools that it listed when the agent was saved. */
export function McpFields({ tool, at }: ToolProps) {
  const path = `tools.${at}`;
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <LineField
          path={`${path}.name`}
          label="Server name"
          description="A tool whose name is taken begins with it, such as crm."
        />
        <NumberField
          path={`${path}.timeout_ms`}
          label="Timeout"
          description="500 to 30,000 ms."
          suffix=" ms"
          step={500}
        />
      </SimpleGrid>
      <LineField
        path={`${path}.url`}
        label="URL"
        description="Of an MCP server with streamable HTTP, on the public internet, over TLS."
        placeholder="https://example.com/mcp"
      />
      <Headers tool={tool} at={at} />
      <PhrasesField
        path={`${path}.allowed_tools`}
        label="Allowed tools"
        description="Their names at the server. Press Enter after each one. Without one, the model may call every tool."
      />
      <SpeakFields path={path} />
      <ListedTools tool={tool} at={at} />
    </>
  );
}

function ListedTools({ tool: { listed }, at }: ToolProps) {
  const form = useConductedFormContext();
  if (listed.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        The server is asked for its tools when you save the agent.
      </Text>
    );
  }
  return (
    <Stack gap="xs" role="group" aria-label="Tools of the server">
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          Tools as of the last save: {listed.length}
        </Text>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconRefresh size={14} aria-hidden />}
          onClick={() => form.setFieldValue(`tools.${at}.listed`, [])}
        >
          List again with the next save
        </Button>
      </Group>
      <List size="sm" spacing={4}>
        {listed.map(({ name, server_name: nameAtServer, description }) => (
          <List.Item key={name}>
            <Text span fw={500} size="sm">
              {name}
            </Text>
            {nameAtServer === name ? '' : ` (at the server: ${nameAtServer})`}
            {description === '' ? '' : `: ${shortened(description)}`}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

function shortened(description: string): string {
  return description.length <= SHOWN_DESCRIPTION ? description : `${description.slice(0, SHOWN_DESCRIPTION)}…`;
}
