import { Grid, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { AgentBody, AgentSettings } from '@outdial/contracts';
import type { UseMutationResult } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { DraftNotice } from '../../shared/drafts/draft-notice.tsx';
import { LeaveGuard } from '../../shared/drafts/leave-guard.tsx';
import type { Draft as StoredDraft } from '../../shared/drafts/use-draft.ts';
import { fieldErrorsOf } from '../../shared/forms/field-errors.ts';
import { EditorAside } from './editor-aside.tsx';

/** What the page of an agent decides about its editor. */
export interface EditorProps<Draft> {
  /** The form's initial values. */
  readonly draft: Draft;
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

interface EditorFormProps<Draft extends object> extends Omit<EditorProps<Draft>, 'draft' | 'draftName'> {
  readonly form: UseFormReturnType<Draft>;
  readonly stored: StoredDraft<Draft>;
  readonly settingsOf: (draft: Draft) => AgentSettings;
  /** Converts a path of the settings to the form's. */
  readonly formPath: (draft: Draft, path: string) => string;
  readonly variables: readonly string[];
  readonly children: ReactNode;
}

/** Restores the draft, saves the settings, and shows the service's errors at their fields. */
export function EditorForm<Draft extends object>(props: EditorFormProps<Draft>) {
  const { form, stored, save, settingsOf, formPath, onSaved, renderError, children } = props;
  const [isFromDraft, setIsFromDraft] = useState(stored.saved !== null);
  // After the initial values, not instead of them: the form is dirty where the draft differs from them.
  const restore = useEffectEvent(() => {
    if (stored.saved !== null) form.setValues(stored.saved);
  });
  useEffect(() => restore(), []);
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
    <>
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
              {children}
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 4 }}>
            <EditorAside
              saveLabel={props.saveLabel}
              unchangedText={props.unchangedText}
              isSaving={save.isPending}
              isDirty={form.isDirty()}
              errorCount={Object.keys(form.errors).length}
              variables={props.variables}
              onDiscard={() => form.reset()}
            />
          </Grid.Col>
        </Grid>
      </form>
      <LeaveGuard isDirty={() => form.isDirty()} onLeave={stored.clear} />
    </>
  );
}
