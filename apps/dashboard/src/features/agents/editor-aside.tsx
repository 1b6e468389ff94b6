import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { draftVariables } from './agent-draft.ts';
import { useAgentFormContext } from './form-context.ts';
import classes from './fields.module.css';

interface EditorAsideProps {
  readonly saveLabel: string;
  /** Shown while there are no changes. */
  readonly unchangedText: string;
  readonly isSaving: boolean;
}

/** The save buttons, and the variables that the script uses. */
export function EditorAside({ saveLabel, unchangedText, isSaving }: EditorAsideProps) {
  const form = useAgentFormContext();
  const errorCount = Object.keys(form.errors).length;
  const isDirty = form.isDirty();
  return (
    <Stack className={classes['aside']}>
      <Paper withBorder radius="lg" p="lg">
        <Stack gap="sm">
          <Button type="submit" loading={isSaving} disabled={!isDirty} fullWidth>
            {saveLabel}
          </Button>
          {isDirty && (
            <Button variant="default" onClick={() => form.reset()} fullWidth>
              Discard changes
            </Button>
          )}
          <Text size="xs" c={errorCount > 0 ? 'var(--mantine-color-error)' : 'dimmed'} aria-live="polite">
            {isDirty ? describeChanges(errorCount) : unchangedText}
          </Text>
        </Stack>
      </Paper>
      <Variables names={draftVariables(form.values)} />
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
