import { Grid, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { UseMutationResult } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { ErrorNotice } from '../components/error-notice.tsx';
import { DraftNotice } from '../drafts/draft-notice.tsx';
import { LeaveGuard } from '../drafts/leave-guard.tsx';
import type { Draft as StoredDraft } from '../drafts/use-draft.ts';
import { fieldErrorsOf } from './field-errors.ts';

export interface EditorFormProps<Draft extends object, Settings, Saved> {
  readonly form: UseFormReturnType<Draft>;
  readonly stored: StoredDraft<Draft>;
  readonly settingsOf: (draft: Draft) => Settings;
  /** Converts a path of the settings to the form's. */
  readonly formPath: (draft: Draft, path: string) => string;
  readonly save: UseMutationResult<Saved, Error, Settings>;
  readonly onSaved: (saved: Saved) => void;
  /** Above an error that the service sent: `Could not save the agent`. */
  readonly failedTitle: string;
  /** Renders an error that offers a choice. Null or absent: the service's message is shown. */
  readonly renderError?: ((error: Error) => ReactNode) | undefined;
  /** Beside the fields: the save buttons and what they do. */
  readonly aside: ReactNode;
  readonly children: ReactNode;
}

/** Restores the draft, saves the settings, and shows the service's errors at their fields. */
export function EditorForm<Draft extends object, Settings, Saved>(props: EditorFormProps<Draft, Settings, Saved>) {
  const { form, stored, save, settingsOf, formPath, onSaved, failedTitle, renderError, aside, children } = props;
  const [isFromDraft, setIsFromDraft] = useState(stored.saved !== null);
  // After the initial values, not instead of them: the form is dirty where the draft differs from them.
  const restore = useEffectEvent(() => {
    if (stored.saved !== null) form.setValues(stored.saved);
  });
  useEffect(() => restore(), []);
  const submit = form.onSubmit((values) =>
    save.mutate(settingsOf(values), {
      onSuccess: (saved) => {
        // Before `onSaved`, which may navigate: the form must no longer be dirty then.
        form.resetDirty(values);
        stored.clear();
        onSaved(saved);
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
              {save.isError && (renderError?.(save.error) ?? <ErrorNotice title={failedTitle} error={save.error} />)}
              {children}
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 4 }}>{aside}</Grid.Col>
        </Grid>
      </form>
      <LeaveGuard isDirty={() => form.isDirty()} onLeave={stored.clear} />
    </>
  );
}
