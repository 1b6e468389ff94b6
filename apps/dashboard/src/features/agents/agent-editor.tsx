import { Grid, Stack } from '@mantine/core';
import type { AgentBody, AgentSettings } from '@outdial/contracts';
import type { UseMutationResult } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { DraftNotice } from '../../shared/drafts/draft-notice.tsx';
import { LeaveGuard } from '../../shared/drafts/leave-guard.tsx';
import { useDraft } from '../../shared/drafts/use-draft.ts';
import { fieldErrorsOf } from '../../shared/forms/field-errors.ts';
import { agentDraftSchema, draftErrors, formPath, settingsOf, type AgentDraft } from './agent-draft.ts';
import { EditorAside } from './editor-aside.tsx';
import { AgentFormProvider, useAgentForm } from './form-context.ts';
import { BasicFields, SpecialFields } from './form-fields.tsx';
import { LineFields } from './line-fields.tsx';
import { MenuFields } from './menu-fields.tsx';
import { SilenceFields } from './silence-fields.tsx';

interface AgentEditorProps {
  /** The form's initial values. */
  readonly draft: AgentDraft;
  /** The name under which unsaved input is stored. */
  readonly draftName: string;
  readonly save: UseMutationResult<AgentBody, Error, AgentSettings>;
  readonly saveLabel: string;
  /** Shown while there are no changes. */
  readonly unchangedText: string;
  readonly onSaved: (agent: AgentBody) => void;
  /** Renders an error that offers a choice. Null or absent: the service's message is shown. */
  readonly renderError?: (error: Error) => ReactNode;
}

/** An agent's settings as a form, validated while the user types. */
export function AgentEditor({
  draft,
  draftName,
  save,
  saveLabel,
  unchangedText,
  onSaved,
  renderError,
}: AgentEditorProps) {
  const stored = useDraft(draftName, agentDraftSchema);
  const [isFromDraft, setIsFromDraft] = useState(stored.saved !== null);
  const form = useAgentForm({
    initialValues: draft,
    onValuesChange: stored.save,
    validate: draftErrors,
    validateInputOnChange: true,
  });
  // After the initial values, not instead of them: the form is dirty where the draft differs from them.
  const restore = useEffectEvent(() => stored.saved !== null && form.setValues(stored.saved));
  useEffect(() => void restore(), []);
  const submit = form.onSubmit((values) =>
    save.mutate(settingsOf(values), {
      onSuccess: (agent) => {
        // Before `onSaved`, which may navigate: the form must no longer be dirty then.
        form.resetDirty(values);
        stored.clear();
        onSaved(agent);
      },
      onError: (error) =>
        form.setErrors(
          Object.fromEntries(
            Object.entries(fieldErrorsOf(error)).map(([path, message]) => [formPath(values, path), message]),
          ),
        ),
    }),
  );
  return (
    <AgentFormProvider form={form}>
      <form onSubmit={submit} noValidate>
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 8 }}>
            <Stack gap="lg">
              {isFromDraft && (
                <DraftNotice
                  onDiscard={() => {
                    form.reset();
                    stored.clear();
                    setIsFromDraft(false);
                  }}
                />
              )}
              {save.isError &&
                (renderError?.(save.error) ?? <ErrorNotice title="Could not save the agent" error={save.error} />)}
              <BasicFields />
              <LineFields />
              <SilenceFields />
              <MenuFields />
              <SpecialFields />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 4 }}>
            <EditorAside saveLabel={saveLabel} unchangedText={unchangedText} isSaving={save.isPending} />
          </Grid.Col>
        </Grid>
      </form>
      <LeaveGuard isDirty={() => form.isDirty()} onLeave={stored.clear} />
    </AgentFormProvider>
  );
}
