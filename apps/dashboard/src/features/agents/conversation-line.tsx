import { Code, Text } from '@mantine/core';

/** What one side said in a conversation in text. */
export function SpokenLine({ speaker, text }: { readonly speaker: string; readonly text: string }) {
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      <Text span fw={550}>
        {speaker}:{' '}
      </Text>
      {text}
    </Text>
  );
}

interface ToolLineProps {
  readonly name: string;
  /** As JSON. */
  readonly given: string;
  readonly result: string | null;
  readonly isFailed: boolean;
}

/** A tool that the agent called. */
export function ToolLine({ name, given, result, isFailed }: ToolLineProps) {
  return (
    <Text
      size="sm"
      c={isFailed ? 'var(--mantine-color-error)' : 'var(--mantine-color-text)'}
      style={{ overflowWrap: 'anywhere' }}
    >
      Tool <Code>{name}</Code> with <Code>{given}</Code>
      {result !== null && (
        <>
          {' '}
          returned <Code>{result}</Code>
        </>
      )}
    </Text>
  );
}
