import { Anchor, Collapse, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PACKS, type Pack } from '@outdial/policies';
import { dateWords } from './words/policy-words.ts';

const WITH_SOURCES = Object.entries(PACKS).filter(([, { rows }]) => rows.length > 0);

/** The rules that a policy can begin with, each with where it is from. */
export function PackSources() {
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="packs">
      <Stack gap="md">
        <div>
          <Title order={2} size="h4" id="packs">
            Built-in rules
          </Title>
          <Text size="sm" c="dimmed">
            A policy can begin with these. This is a tool, not legal advice: check which rules apply to your calls.
          </Text>
        </div>
        {WITH_SOURCES.map(([name, pack]) => (
          <Sources key={name} pack={pack} />
        ))}
      </Stack>
    </Paper>
  );
}

function Sources({ pack: { title, rows } }: { readonly pack: Pack }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <div>
      <Anchor component="button" type="button" size="sm" fw={550} aria-expanded={isOpen} onClick={toggle}>
        {title}: {rows.length} rules and their sources
      </Anchor>
      <Collapse expanded={isOpen}>
        <Stack component="ul" gap="sm" mt="sm" mb={0} pl="lg">
          {rows.map(({ says, source, checkedAt }) => (
            <li key={says}>
              <Text size="sm">{says}</Text>
              <Text size="xs" c="dimmed">
                {source}. Compared on {dateWords(checkedAt)}.
              </Text>
            </li>
          ))}
        </Stack>
      </Collapse>
    </div>
  );
}
