import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { draftVariables } from './agent-draft.ts';
import { useAgentFormContext } from './form-context.ts';
import classes from './fields.module.css';

interface EditorAsideProps {
  readonly saveLabel: string;
  /** What is said while nothing was changed. */
  readonly unchangedText: string;
  readonly isSaving: boolean;
}

/** What follows from what is written, and the buttons. */
export function EditorAside({ saveLabel, unchangedText, isSaving }: EditorAsideProps) {
  const form = useAgentFormContext();
  const faults = Object.keys(form.errors).length;
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
          <Text size="xs" c={faults > 0 ? 'var(--mantine-color-error)' : 'dimmed'} aria-live="polite">
            {isDirty ? changesInWords(faults) : unchangedText}
          </Text>
        </Stack>
      </Paper>
      <Variables names={draftVariables(form.values)} />
    </Stack>
  );
}

function changesInWords(faults: number): string {
  if (faults > 0) return faults === 1 ? 'One field is to be mended.' : `${faults} fields are to be mended.`;
  return 'Calls placed from then on use it; open ones keep what they began with.';
}

function Variables({ names }: { readonly names: readonly string[] }) {
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-label="Variables">
      <Title order={2} size="h5">
        Variables
      </Title>
      {names.length === 0 ? (
        <Text size="sm" c="dimmed" mt={4}>
          None yet. Write {'{{name}}'} into a text, and every call brings its own name.
        </Text>
      ) : (
        <>
          <Text size="sm" c="dimmed" mt={4}>
            Every call must bring a text for each.
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
