import { createFormContext } from '@mantine/form';
import type { PolicyDraft } from '../draft/policy-draft.ts';

/** Shares the form of a calling policy with its groups of fields. */
export const [PolicyFormProvider, usePolicyFormContext, usePolicyForm] = createFormContext<PolicyDraft>();
