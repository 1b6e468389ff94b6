import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import classes from './fields.module.css';

interface EditorAsideProps {
  readonly saveLabel: string;
  /** Shown while there are no changes. */
  readonly unchangedText: string;
  readonly isSaving: boolean;
  readonly isDirty: boolean;
  readonly errorCount: number;
  /** The variables that the texts use. */
  readonly variables: readonly string[];
  readonly onDiscard: () => void;
}

/** The save buttons, and the variables that the texts use. */
export function EditorAside(props: EditorAsideProps) {
  const { saveLabel, unchangedText, isSaving, isDirty, errorCount, variables, onDiscard } = props;
  return (
    <Stack className={classes['aside']}>
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
            {isDirty ? describeChanges(errorCount) : unchangedText}
          </Text>
        </Stack>
      </Paper>
      <Variables names={variables} />
    </Stack>
  );
}

function describeChanges(errorCount: number): string {
  if (errorCount > 0) return errorCount === 1 ? 'Fix 1 field' : `Fix ${errorCount} fields`;
  return 'New calls will use this version. Open calls keep theirs.';
}

function Variables({ names }: { readonly names: readonly string[] }) {
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-label="Variables">
      <Title order={2} size="h5">
        Variables
      </Title>
      {names.length === 0 ? (
        <Text size="sm" c="dimmed" mt={4}>
          No variables yet. Add one to any text, such as {'{{name}}'}, and set its value for each call.
        </Text>
      ) : (
        <>
          <Text size="sm" c="dimmed" mt={4}>
            Every call must set these variables.
          </Text>
          <Group gap={6} mt="sm">
            {names.map((name) => (
              <Badge key={name} variant="light" radius="sm" tt="none" fw={500}>
                {name}
              </Badge>
            ))}
          </Group>
        </>
      )}
    </Paper>
  );
}
