import { Grid, Stack } from '@mantine/core';
import type { AgentBody, AgentSettings } from '@outdial/contracts';
import type { UseMutationResult } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { DraftNotice } from '../../shared/drafts/draft-notice.tsx';
import { LeaveGuard } from '../../shared/drafts/leave-guard.tsx';
import { useDraft } from '../../shared/drafts/use-draft.ts';
import { refusedFields } from '../../shared/forms/field-errors.ts';
import { agentDraftSchema, draftErrors, formPath, settingsOf, type AgentDraft } from './agent-draft.ts';
import { EditorAside } from './editor-aside.tsx';
import { AgentFormProvider, useAgentForm } from './form-context.ts';
import { BasicFields, SpecialFields } from './form-fields.tsx';
import { LineFields } from './line-fields.tsx';
import { MenuFields } from './menu-fields.tsx';
import { SilenceFields } from './silence-fields.tsx';

interface AgentEditorProps {
  /** What the form begins with. */
  readonly draft: AgentDraft;
  /** Under which name what is written is kept until it is saved. */
  readonly draftName: string;
  readonly save: UseMutationResult<AgentBody, Error, AgentSettings>;
  readonly saveLabel: string;
  /** What is said while nothing was changed. */
  readonly unchangedText: string;
  readonly onSaved: (agent: AgentBody) => void;
  /** What is shown of a refusal that leaves a choice. Null, or without it: what the service said. */
  readonly refusal?: (error: Error) => ReactNode;
}

/** An agent's settings as a form, which says what is wrong while they are written. */
export function AgentEditor({ draft, draftName, save, saveLabel, unchangedText, onSaved, refusal }: AgentEditorProps) {
  const written = useDraft(draftName, agentDraftSchema);
  const [isFromDraft, setIsFromDraft] = useState(written.kept !== null);
  const form = useAgentForm({
    initialValues: draft,
    onValuesChange: written.keep,
    validate: draftErrors,
    validateInputOnChange: true,
  });
  // After the first values, not in their place: what differs from them is what is to be saved.
  const goOn = useEffectEvent(() => written.kept !== null && form.setValues(written.kept));
  useEffect(() => void goOn(), []);
  const submit = form.onSubmit((values) =>
    save.mutate(settingsOf(values), {
      onSuccess: (agent) => {
        // Before whoever is told leads on: what was saved keeps nobody on the page.
        form.resetDirty(values);
        written.forget();
        onSaved(agent);
      },
      onError: (error) =>
        form.setErrors(
          Object.fromEntries(
            Object.entries(refusedFields(error)).map(([path, message]) => [formPath(values, path), message]),
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
                    written.forget();
                    setIsFromDraft(false);
                  }}
                />
              )}
              {save.isError &&
                (refusal?.(save.error) ?? <ErrorNotice title="The agent was not saved" error={save.error} />)}
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
      <LeaveGuard isDirty={() => form.isDirty()} onLeave={written.forget} />
    </AgentFormProvider>
  );
}
