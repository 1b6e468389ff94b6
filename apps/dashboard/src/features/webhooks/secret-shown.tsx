import { Alert, Button, Code, Group, SegmentedControl, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyText } from '../../shared/components/copy-text.tsx';
import { SNIPPET_LANGUAGES, SNIPPETS, type SnippetLanguage } from './snippets.ts';

interface SecretShownProps {
  readonly secret: string;
  readonly onDone: () => void;
}

/** A new secret, which is never shown again, and how a receiver verifies with it. */
export function SecretShown({ secret, onDone }: SecretShownProps) {
  const [language, setLanguage] = useState<SnippetLanguage>('TypeScript');
  return (
    <Stack>
      <Alert
        color="orange"
        variant="light"
        icon={<IconAlertTriangle aria-hidden />}
        title="Copy the secret now"
        role="status"
      >
        You will not see it again. Your receiver verifies each request with it.
      </Alert>
      <Group wrap="nowrap" gap="xs">
        <Code
          block
          tabIndex={0}
          aria-label="Secret"
          style={{ flex: 1, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
        >
          {secret}
        </Code>
        <CopyText text={secret} label="Copy secret" />
      </Group>
      <Group justify="space-between">
        <SegmentedControl
          aria-label="Language"
          data={[...SNIPPET_LANGUAGES]}
          value={language}
          onChange={(value) => setLanguage(SNIPPET_LANGUAGES.find((each) => each === value) ?? 'TypeScript')}
        />
        <CopyText text={SNIPPETS[language]} label="Copy code" />
      </Group>
      <Code block tabIndex={0} aria-label="How to verify" mah={320} style={{ overflow: 'auto' }}>
        {SNIPPETS[language]}
      </Code>
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
