import { Button, Group, Text } from '@mantine/core';
import { POLICY_PACKS, type PolicyPack } from '@outdial/contracts';
import { PACKS } from '@outdial/policies';
import { FieldGroup } from '../../../shared/forms/field-group.tsx';
import { policyDraftOf } from '../draft/policy-draft.ts';
import { usePolicyFormContext } from './form-context.ts';

/** Fills the form with built-in rules. */
export function PackField() {
  const form = usePolicyFormContext();
  const { pack } = form.values;
  const fill = (name: PolicyPack) => form.setValues(policyDraftOf(PACKS[name].settings));
  return (
    <FieldGroup
      title="Start from built-in rules"
      description="Replaces everything below, and is saved only when you save. This is a tool, not legal advice: check which rules apply to your calls."
    >
      <Group gap="xs">
        {POLICY_PACKS.map((name) => (
          <Button key={name} variant="default" onClick={() => fill(name)}>
            {PACKS[name].title}
          </Button>
        ))}
      </Group>
      {pack !== null && (
        <Text size="sm" c="dimmed">
          These rules began with “{PACKS[pack].title}”.
        </Text>
      )}
    </FieldGroup>
  );
}
