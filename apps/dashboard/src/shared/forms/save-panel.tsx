import { Button, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface SavePanelProps {
  readonly saveLabel: string;
  /** Shown while there are no changes. */
  readonly unchangedText: string;
  /** What a save brings about. */
  readonly changedText: string;
  readonly isSaving: boolean;
  readonly isDirty: boolean;
  readonly errorCount: number;
  readonly onDiscard: () => void;
  readonly children?: ReactNode;
}

/** The buttons of an editor, and whether there is something to save or to fix. */
export function SavePanel(props: SavePanelProps) {
  const { saveLabel, unchangedText, changedText, isSaving, isDirty, errorCount, onDiscard, children } = props;
  return (
    <Paper withBorder radius="lg" p="lg">
      <Stack gap="sm">
        <Button type="submit" loading={isSaving} disabled={!isDirty} fullWidth>
          {saveLabel}
        </Button>
        {isDirty && (
          <Button variant="default" onClick={onDiscard} fullWidth>
            Discard changes
          </Button>
        )}
        <Text size="xs" c={errorCount > 0 ? 'var(--mantine-color-error)' : 'dimmed'} aria-live="polite">
          {isDirty ? describeChanges(errorCount, changedText) : unchangedText}
        </Text>
        {children}
      </Stack>
    </Paper>
  );
}

function describeChanges(errorCount: number, changedText: string): string {
  if (errorCount > 0) return errorCount === 1 ? 'Fix 1 field' : `Fix ${errorCount} fields`;
  return changedText;
}
