import type { CallingPolicyBody, CallingPolicySettings } from '@outdial/contracts';
import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useEffectEvent } from 'react';
import { useDraft } from '../../../shared/drafts/use-draft.ts';
import { EditorForm } from '../../../shared/forms/editor-form.tsx';
import { useAccount } from '../../../shared/session/account.ts';
import { policyDraftOf, policyDraftSchema, policySettingsOf, type PolicyDraft } from '../draft/policy-draft.ts';
import { policyErrors, policyPath } from '../draft/policy-errors.ts';
import { useSavePolicy } from '../queries.ts';
import { CapFields } from './cap-fields.tsx';
import { ClosedDayFields } from './closed-day-fields.tsx';
import { PolicyFormProvider, usePolicyForm } from './form-context.ts';
import { HoursFields } from './hours-fields.tsx';
import { PackField } from './pack-field.tsx';
import { RegionFields } from './region-fields.tsx';
import { SaveAside } from './save-aside.tsx';
import { ZoneTrustField } from './zone-trust-field.tsx';

interface PolicyEditorProps {
  readonly inForce: CallingPolicyBody;
  /** An old version that the form is filled with. Null: it begins with the one in force. */
  readonly filledWith: CallingPolicySettings | null;
  /** The form has the old version. */
  readonly onFilled: () => void;
  readonly onSaved: (version: number) => void;
}

/** The calling policy as a form, validated while the user types. */
export function PolicyEditor({ inForce, filledWith, onFilled, onSaved }: PolicyEditorProps) {
  const { account_id: accountId } = useAccount();
  const save = useSavePolicy(accountId);
  const stored = useDraft(`calling-hours:${inForce.version}`, policyDraftSchema);
  const form: UseFormReturnType<PolicyDraft> = usePolicyForm({
    initialValues: policyDraftOf(inForce),
    validate: policyErrors,
    onValuesChange: (values) => {
      stored.save(values);
      // The whole form: times that overlap are an error of their day, and regions may be twice.
      form.setErrors(policyErrors(values));
    },
  });
  const fill = useEffectEvent(() => {
    if (filledWith === null) return;
    form.setValues(policyDraftOf(filledWith));
    onFilled();
  });
  useEffect(() => fill(), [filledWith]);
  return (
    <PolicyFormProvider form={form}>
      <EditorForm
        form={form}
        stored={stored}
        settingsOf={policySettingsOf}
        formPath={policyPath}
        save={save}
        onSaved={(saved) => onSaved(saved.calling_policy.version)}
        failedTitle="Could not save the calling hours"
        aside={<SaveAside inForce={inForce} isSaving={save.isPending} />}
      >
        <PackField />
        <HoursFields />
        <RegionFields />
        <ClosedDayFields />
        <CapFields />
        <ZoneTrustField />
      </EditorForm>
    </PolicyFormProvider>
  );
}
