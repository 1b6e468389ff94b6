import { useDraft } from '../../shared/drafts/use-draft.ts';
import {
  scriptedDraftSchema,
  scriptedErrors,
  scriptedPath,
  scriptedSettingsOf,
  scriptedVariables,
  type ScriptedDraft,
} from './draft/scripted-draft.ts';
import { AgentForm, type EditorProps } from './editor-form.tsx';
import { ScriptedFormProvider, useScriptedForm } from './form-context.ts';
import { BasicFields, SpecialFields } from './form-fields.tsx';
import { LineFields } from './line-fields.tsx';
import { MenuFields } from './menu-fields.tsx';
import { OptOutFields } from './opt-out-fields.tsx';
import { SilenceFields } from './silence-fields.tsx';

/** The settings of a scripted agent as a form, validated while the user types. */
export function ScriptedEditor({ draft, draftName, ...rest }: EditorProps<ScriptedDraft>) {
  const stored = useDraft(draftName, scriptedDraftSchema);
  const form = useScriptedForm({
    initialValues: draft,
    onValuesChange: stored.save,
    validate: scriptedErrors,
    validateInputOnChange: true,
  });
  return (
    <ScriptedFormProvider form={form}>
      <AgentForm
        {...rest}
        form={form}
        stored={stored}
        settingsOf={scriptedSettingsOf}
        formPath={scriptedPath}
        variables={scriptedVariables(form.values)}
      >
        <BasicFields />
        <LineFields />
        <SilenceFields />
        <MenuFields />
        <OptOutFields />
        <SpecialFields />
      </AgentForm>
    </ScriptedFormProvider>
  );
}
