import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { CallingPolicyBody, CallingPolicySettings } from '@outdial/contracts';
import { DateTime } from '../../shared/components/time-text.tsx';
import { PolicyRules } from './policy-rules.tsx';
import { savedByWords } from './words/saved-words.ts';

/** The account's own rules, and who saved them. */
export function InForce({ policy }: { readonly policy: CallingPolicyBody }) {
  const { version, saved_at: savedAt } = policy;
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="in-force">
      <Stack gap="md">
        <Group justify="space-between" gap="xs" align="baseline">
          <Title order={2} size="h4" id="in-force">
            In force
          </Title>
          <Text size="sm" c="dimmed">
            {savedAt === null ? (
              'Never changed'
            ) : (
              <>
                Version {version}, saved by {savedByWords(policy)} on <DateTime at={savedAt} />
              </>
            )}
          </Text>
        </Group>
        <PolicyRules settings={policy} label="Open hours" />
        {version === 0 && (
          <Text size="sm" c="dimmed">
            Your account has no rules: it calls at any hour, and a number as often as you ask.
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

/** The operator's rules, which the account cannot change. */
export function Floor({ floor }: { readonly floor: CallingPolicySettings }) {
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="floor">
      <Stack gap="md">
        <div>
          <Title order={2} size="h4" id="floor">
            Your operator’s rules
          </Title>
          <Text size="sm" c="dimmed">
            They hold besides your own: what either closes is closed. Only your operator changes them.
          </Text>
        </div>
        <PolicyRules settings={floor} label="Your operator’s open hours" />
      </Stack>
    </Paper>
  );
}
