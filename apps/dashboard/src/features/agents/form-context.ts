import { createFormContext } from '@mantine/form';
import type { ConductedDraft } from './draft/conducted-draft.ts';
import type { ScriptedDraft } from './draft/scripted-draft.ts';

/** Shares a script's form with its groups of fields. */
export const [ScriptedFormProvider, useScriptedFormContext, useScriptedForm] = createFormContext<ScriptedDraft>();

/** The same for an agent that models conduct. */
export const [ConductedFormProvider, useConductedFormContext, useConductedForm] = createFormContext<ConductedDraft>();
