import { z } from 'zod';
import { agentSettingsSchema, DRIVERS, storedAgentSettingsSchema } from './agent-settings/index.ts';
import { agentIdSchema } from './ids.ts';
import { pageCursor, pageLimit } from './page-query.ts';

const timestamp = z.iso.datetime({ precision: 3 });
const pageEnd = {
  has_more: z.boolean().describe('Whether there is another page.'),
  next_cursor: z.string().nullable().describe('Pass it as `cursor` to get the next page. Null: this is the last page.'),
};

/** What is shown of settings that may be hidden or broken. */
const shownSettings = {
  settings: storedAgentSettingsSchema
    .nullable()
    .describe('Null: another account’s agent, or settings that are no longer valid.'),
  problem: z.string().nullable().describe('Why the settings are no longer valid. Null: they are.'),
};

export const agentSchema = z.strictObject({
  id: agentIdSchema.describe('Identifies the agent.'),
  name: z.string().describe('Its name.'),
  driver: z.enum(DRIVERS).nullable().describe('What conducts its calls. Null: its settings are no longer valid.'),
  version: z.int().describe('The version that new calls use.'),
  owned: z.boolean().describe('False: another account granted access to it, and only that account may change it.'),
  ...shownSettings,
  required_variables: z.array(z.string()).describe('The variables that every call must provide.'),
  created_at: timestamp.describe('When it was created.'),
});
export type AgentBody = z.output<typeof agentSchema>;

/** An agent in a list. Its settings are read with the agent itself. */
export const agentSummarySchema = agentSchema.omit({ settings: true });
export type AgentSummaryBody = z.output<typeof agentSummarySchema>;

/** `GET /agents`. A page may have fewer than `limit` agents although more follow. */
export const listAgentsQuerySchema = z.strictObject({ limit: pageLimit('Agents'), cursor: pageCursor });
export const agentListSchema = z.strictObject({
  agents: z.array(agentSummarySchema).describe('Oldest first.'),
  ...pageEnd,
});
/** `GET` and `PATCH /agents/{agent_id}`, `POST /agents`. */
export const agentEnvelopeSchema = z.strictObject({ agent: agentSchema.describe('The agent.') });
/** `POST /agents`. */
export const saveAgentSchema = z.strictObject({
  settings: agentSettingsSchema.describe('How the agent conducts calls.'),
});
/** `PATCH /agents/{agent_id}`: a change is a new version, and open calls keep theirs. */
export const updateAgentSchema = z.strictObject({
  settings: agentSettingsSchema.describe('The complete new settings.'),
  base_version: z
    .int()
    .min(1)
    .describe('The version that was edited. If it is no longer the current one, nothing changes: `version_conflict`.'),
});
export const versionConflictDetailsSchema = z.object({ current_version: z.int() });

export const agentVersionSchema = z.strictObject({
  version: z.int().describe('Its number. The first version is 1.'),
  name: z.string().nullable().describe('The agent’s name in this version. Null: it cannot be read.'),
  saved_by: z.string().nullable().describe('The member who saved it. Null: an API key or an operator did.'),
  created_at: timestamp.describe('When it was saved.'),
});
export type AgentVersionBody = z.output<typeof agentVersionSchema>;

/** `GET /agents/{agent_id}/versions`. */
export const listAgentVersionsSchema = z.strictObject({ limit: pageLimit('Versions'), cursor: pageCursor });
export const agentVersionListSchema = z.strictObject({
  versions: z.array(agentVersionSchema).describe('Newest first.'),
  ...pageEnd,
});

/** `GET /agents/{agent_id}/versions/{version}`. */
export const agentVersionDetailSchema = agentVersionSchema.extend(shownSettings);
export type AgentVersionDetailBody = z.output<typeof agentVersionDetailSchema>;
export const agentVersionEnvelopeSchema = z.strictObject({
  version: agentVersionDetailSchema.describe('The version.'),
});
