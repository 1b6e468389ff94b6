import { useDraft } from '../../../shared/drafts/use-draft.ts';
import { conductedDraftSchema, type ConductedDraft } from '../draft/conducted-draft.ts';
import { conductedErrors, conductedPath, conductedSettingsOf, conductedVariables } from '../draft/conducted-errors.ts';
import { AgentForm, type EditorProps } from '../editor-form.tsx';
import { ConductedFormProvider, useConductedForm } from '../form-context.ts';
import { AnalysisFields } from './analysis-fields.tsx';
import { ModelsFields } from './model-fields.tsx';
import { IdentityFields, PromptFields } from './prompt-fields.tsx';
import { FirstMessageFields, LimitFields, MachineFields, OptOutFields, TurnFields } from './talk-fields.tsx';
import { ToolFields } from './tool-fields.tsx';

/** The settings of an agent that models conduct as a form, validated while the user types. */
export function ConductedEditor({ draft, draftName, ...rest }: EditorProps<ConductedDraft>) {
  const stored = useDraft(draftName, conductedDraftSchema);
  const form = useConductedForm({
    initialValues: draft,
    onValuesChange: stored.save,
    validate: conductedErrors,
    validateInputOnChange: true,
  });
  return (
    <ConductedFormProvider form={form}>
      <AgentForm
        {...rest}
        form={form}
        stored={stored}
        settingsOf={conductedSettingsOf}
        formPath={conductedPath}
        variables={conductedVariables(form.values)}
      >
        <IdentityFields />
        <PromptFields />
        <ModelsFields />
        <FirstMessageFields />
        <TurnFields />
        <ToolFields />
        <MachineFields />
        <OptOutFields />
        <LimitFields />
        <AnalysisFields />
      </AgentForm>
    </ConductedFormProvider>
  );
}
