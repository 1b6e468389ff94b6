import { Code, Group, Stack, Text } from '@mantine/core';
import { CopyText } from '../../shared/components/copy-text.tsx';
import classes from './command-block.module.css';

interface CommandBlockProps {
  readonly label: string;
  readonly command: string;
}

/** A terminal command with a copy button. */
export function CommandBlock({ label, command }: CommandBlockProps) {
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <CopyText text={command} label={`Copy: ${label}`} />
      </Group>
      <Code block className={classes['command']} tabIndex={0} aria-label={label}>
        {command}
      </Code>
    </Stack>
  );
}
