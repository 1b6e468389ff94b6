import { createFormContext } from '@mantine/form';
import type { AgentDraft } from './agent-draft.ts';

/** Shares the editor's form with its groups of fields. */
export const [AgentFormProvider, useAgentFormContext, useAgentForm] = createFormContext<AgentDraft>();
