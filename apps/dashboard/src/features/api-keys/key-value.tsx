import { Alert, Button, Code, CopyButton, Group, Stack } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { serviceQuery } from '../../shared/session/service.ts';
import { CommandBlock } from './command-block.tsx';
import { curlCommand } from './curl-command.ts';
import classes from './key-value.module.css';

interface KeyValueProps {
  readonly value: string;
  readonly onDone: () => void;
}

export function KeyValue({ value, onDone }: KeyValueProps) {
  const service = useQuery(serviceQuery);
  return (
    <Stack>
      <Alert
        color="orange"
        variant="light"
        icon={<IconAlertTriangle aria-hidden />}
        title="Copy your API key now"
        role="status"
      >
        You will not see this key again. Store it in a secrets manager, never in a web page or repository.
      </Alert>
      <Group wrap="nowrap" gap="xs" align="stretch">
        <Code block className={classes['value']} aria-label="API key" tabIndex={0}>
          {value}
        </Code>
        <CopyButton value={value} timeout={3_000}>
          {({ copied, copy }) => (
            <Button
              h="auto"
              data-autofocus
              variant={copied ? 'light' : 'filled'}
              color={copied ? 'teal' : 'iris'}
              onClick={copy}
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            >
              <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
            </Button>
          )}
        </CopyButton>
      </Group>
      {service.data && (
        <CommandBlock label="Try it" command={curlCommand({ baseUrl: service.data.base_url, apiKey: value })} />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
