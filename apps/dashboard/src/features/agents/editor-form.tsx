import type { AgentBody, AgentSettings } from '@outdial/contracts';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { EditorForm, type EditorFormProps } from '../../shared/forms/editor-form.tsx';
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

type Shared<Draft extends object> = Omit<EditorFormProps<Draft, AgentSettings, AgentBody>, 'failedTitle' | 'aside'>;

interface AgentFormProps<Draft extends object>
  extends Shared<Draft>, Pick<EditorProps<Draft>, 'saveLabel' | 'unchangedText'> {
  readonly variables: readonly string[];
}

/** The form of an agent: its fields, its save buttons and the variables of its texts. */
export function AgentForm<Draft extends object>({
  saveLabel,
  unchangedText,
  variables,
  ...rest
}: AgentFormProps<Draft>) {
  const { form, save } = rest;
  return (
    <EditorForm
      {...rest}
      failedTitle="Could not save the agent"
      aside={
        <EditorAside
          saveLabel={saveLabel}
          unchangedText={unchangedText}
          isSaving={save.isPending}
          isDirty={form.isDirty()}
          errorCount={Object.keys(form.errors).length}
          variables={variables}
          onDiscard={() => form.reset()}
        />
      }
    />
  );
}
