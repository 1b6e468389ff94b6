import { Button, Group, Menu, Paper, SimpleGrid, Stack, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { HTTP_METHODS, newTool, TOOL_TYPES, type ToolDraft } from '../draft/tool-draft.ts';
import { FieldGroup } from '../../../shared/forms/field-group.tsx';
import { useConductedFormContext } from '../form-context.ts';
import { DestinationFields } from './destination-fields.tsx';
import { McpFields } from './mcp-fields.tsx';
import { Headers, SpeakFields, type ToolProps } from './request-fields.tsx';
import { ChoiceField, JsonField, LineField, NumberField, SwitchField, TextField } from './inputs.tsx';
import { RemoveButton } from '../../../shared/forms/list-buttons.tsx';

const MAX_TOOLS = 32;

const TYPE_WORDS: Readonly<Record<ToolDraft['type'], string>> = {
  end_call: 'End the call',
  press_digits: 'Press digits',
  leave_voicemail: 'Leave a voicemail',
  transfer_call: 'Transfer the callee',
  http: 'HTTP request',
  mcp: 'MCP server',
};

/** What the model may do in a call. */
export function ToolFields() {
  const form = useConductedFormContext();
  const { tools } = form.values;
  return (
    <FieldGroup title="Tools" description="What the model may do during a call. Also called: functions, actions.">
      {tools.map((tool, at) => (
        <Tool key={tool.id} tool={tool} at={at} />
      ))}
      <Group>
        <Menu>
          <Menu.Target>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} aria-hidden />}
              disabled={tools.length >= MAX_TOOLS}
            >
              Add tool
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {TOOL_TYPES.map((type) => (
              <Menu.Item key={type} onClick={() => form.insertListItem('tools', newTool(type))}>
                {TYPE_WORDS[type]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
    </FieldGroup>
  );
}

function Tool({ tool, at }: ToolProps) {
  const form = useConductedFormContext();
  const path = `tools.${at}`;
  const title = `Tool ${at + 1}: ${TYPE_WORDS[tool.type]}`;
  return (
    <Paper withBorder radius="md" p="md" role="group" aria-label={title}>
      <Stack>
        <Group justify="space-between" wrap="nowrap">
          <Title order={3} size="h5">
            {title}
          </Title>
          <RemoveButton label={`Remove tool ${at + 1}`} onClick={() => form.removeListItem('tools', at)} />
        </Group>
        {tool.type === 'mcp' ? <McpFields tool={tool} at={at} /> : <ToolText path={path} />}
        {tool.type === 'transfer_call' && <DestinationFields tool={tool} at={at} />}
        {tool.type === 'http' && <HttpFields tool={tool} at={at} />}
      </Stack>
    </Paper>
  );
}

function ToolText({ path }: { readonly path: string }) {
  return (
    <>
      <LineField path={`${path}.name`} label="Tool name" description="How the model calls it, such as free_slots." />
      <TextField
        path={`${path}.description`}
        label="Description"
        description="When the model should use it."
        minRows={1}
      />
    </>
  );
}

function HttpFields({ tool, at }: ToolProps) {
  const path = `tools.${at}`;
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <ChoiceField
          path={`${path}.method`}
          label="Method"
          description="Of the HTTP request."
          choices={Object.fromEntries(HTTP_METHODS.map((method) => [method, method]))}
        />
        <ChoiceField
          path={`${path}.send`}
          label="Arguments in"
          description="Where the request has them."
          choices={{ body: 'The body, as JSON', query: 'The query' }}
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
        description="On the public internet, over TLS."
        placeholder="https://"
      />
      <JsonField
        path={`${path}.parameters`}
        label="Parameters (JSON Schema)"
        description="The arguments that the model provides."
      />
      <Headers tool={tool} at={at} />
      <SpeakFields path={path} />
      <SwitchField
        path={`${path}.idempotent`}
        label="May be repeated"
        description="The request is sent again if the server is away."
      />
    </>
  );
}
