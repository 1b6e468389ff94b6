import { createFormContext } from '@mantine/form';
import type { AgentDraft } from './agent-draft.ts';

/** The editor's form, for the groups of fields that it consists of. */
export const [AgentFormProvider, useAgentFormContext, useAgentForm] = createFormContext<AgentDraft>();
