import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { SavePanel } from '../../shared/forms/save-panel.tsx';
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
export function EditorAside({ variables, ...save }: EditorAsideProps) {
  return (
    <Stack className={classes['aside']}>
      <SavePanel {...save} changedText="New calls will use this version. Open calls keep theirs." />
      <Variables names={variables} />
    </Stack>
  );
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
