import { Stack, Text, Title } from '@mantine/core';
import type { CallingPolicySettings } from '@outdial/contracts';
import { SavePanel } from '../../../shared/forms/save-panel.tsx';
import classes from '../calling-hours.module.css';
import { policySettingsOf } from '../draft/policy-draft.ts';
import { policyChanges } from '../words/policy-words.ts';
import { todayOf } from '../words/saved-words.ts';
import { usePolicyFormContext } from './form-context.ts';

interface SaveAsideProps {
  readonly inForce: CallingPolicySettings;
  readonly isSaving: boolean;
}

/** The save buttons, and what a save changes. */
export function SaveAside({ inForce, isSaving }: SaveAsideProps) {
  const form = usePolicyFormContext();
  const isDirty = form.isDirty();
  const errorCount = Object.keys(form.errors).length;
  return (
    <Stack className={classes['aside'] ?? ''}>
      <SavePanel
        saveLabel="Save calling hours"
        unchangedText="No changes."
        changedText="Holds from the next dial. Calls that wait for the hours are looked at again at once."
        isSaving={isSaving}
        isDirty={isDirty}
        errorCount={errorCount}
        onDiscard={() => form.reset()}
      >
        {isDirty && errorCount === 0 && <Changes before={inForce} after={policySettingsOf(form.values)} />}
      </SavePanel>
    </Stack>
  );
}

interface ChangesProps {
  readonly before: CallingPolicySettings;
  readonly after: CallingPolicySettings;
}

function Changes({ before, after }: ChangesProps) {
  const { added, removed } = policyChanges(before, after, todayOf(new Date()));
  if (added.length + removed.length === 0) return null;
  return (
    <div>
      <Title order={2} size="h6">
        What changes
      </Title>
      <Sentences title="New" sentences={added} />
      <Sentences title="No longer" sentences={removed} />
    </div>
  );
}

function Sentences({ title, sentences }: { readonly title: string; readonly sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <>
      <Text size="xs" fw={550} mt="xs">
        {title}
      </Text>
      <ul className={classes['sentences']}>
        {sentences.map((sentence) => (
          <Text key={sentence} component="li" size="xs">
            {sentence}
          </Text>
        ))}
      </ul>
    </>
  );
}
