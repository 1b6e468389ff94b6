import { FieldGroup } from '../../../shared/forms/field-group.tsx';
import { useConductedFormContext } from '../form-context.ts';
import { ChoiceField, JsonField, SwitchField, TextField } from './inputs.tsx';
import { AnalysisModelFields } from './model-fields.tsx';

/** What is found out about a call after it has ended. */
export function AnalysisFields() {
  const { enabled, summary } = useConductedFormContext().values.analysis;
  return (
    <FieldGroup title="Analysis" description="What a model finds out after the call. Also called: post-call analysis.">
      <SwitchField
        path="analysis.enabled"
        label="Analyze calls"
        description="If the callee said something. Its cost is charged apart from the call’s."
      />
      {enabled && (
        <>
          <SwitchField
            path="analysis.summary.enabled"
            label="Summarize the call"
            description="In a few sentences. Also called: summary plan."
          />
          {summary.enabled && (
            <TextField
              path="analysis.summary.prompt"
              label="What the summary is about"
              description="If empty, the whole call."
              minRows={1}
            />
          )}
          <JsonField
            path="analysis.data"
            label="Data (JSON Schema)"
            description="At most 32 flat fields. If empty, no data is extracted. Also called: structured data, extraction variables."
          />
          <TextField
            path="analysis.success.criteria"
            label="Success criteria"
            description="If empty, success is not judged. Also called: success evaluation."
            minRows={1}
          />
          <ChoiceField
            path="analysis.success.scale"
            label="Success is"
            description="How success is judged. Also called: rubric."
            choices={{ boolean: 'Yes or no', '1-10': 'A number from 1 to 10' }}
          />
          <AnalysisModelFields />
        </>
      )}
    </FieldGroup>
  );
}
