import { Button, Code, Collapse, Group, Paper } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBraces } from '@tabler/icons-react';
import type { CallBody } from '@outdial/contracts';
import { CopyText } from '../../../shared/components/copy-text.tsx';

/** The call as the API returns it. */
export function RawJson({ call }: { readonly call: CallBody }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const text = isOpen ? JSON.stringify({ call }, null, 2) : '';
  return (
    <Paper withBorder radius="lg" p="sm" component="section" aria-label="JSON">
      <Group justify="space-between">
        <Button
          variant="subtle"
          color="gray"
          size="sm"
          leftSection={<IconBraces size={16} aria-hidden />}
          aria-expanded={isOpen}
          aria-controls="raw-json"
          onClick={toggle}
        >
          {isOpen ? 'Hide JSON' : 'Show JSON'}
        </Button>
        {isOpen && <CopyText text={text} label="Copy JSON" />}
      </Group>
      <Collapse expanded={isOpen} id="raw-json">
        <Code block mt="sm" mah={480} style={{ overflow: 'auto' }} tabIndex={0} aria-label="Call as JSON">
          {text}
        </Code>
      </Collapse>
    </Paper>
  );
}
