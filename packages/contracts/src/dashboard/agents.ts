import { z } from 'zod';
import { agentSettingsSchema, savedAgentSettingsSchema } from '../agent-settings.ts';
import { agentIdSchema } from '../ids.ts';

const timestamp = z.iso.datetime({ precision: 3 });

export const agentSchema = z.strictObject({
  id: agentIdSchema,
  name: z.string(),
  version: z.int(),
  /** False: another account granted it, which alone may change it. */
  owned: z.boolean(),
  /** Null: not this account's to read, or not usable any more (`problem` says why). */
  settings: savedAgentSettingsSchema.nullable(),
  problem: z.string().nullable(),
  /** What every call must bring a text for. */
  required_variables: z.array(z.string()),
  created_at: timestamp,
});
export type AgentBody = z.output<typeof agentSchema>;

/** `GET …/agents`, oldest first. */
export const agentListSchema = z.strictObject({ agents: z.array(agentSchema) });
/** `GET` and `PUT …/agents/{agent_id}`, `POST …/agents`. */
export const agentEnvelopeSchema = z.strictObject({ agent: agentSchema });
/** `POST …/agents`. */
export const saveAgentSchema = z.strictObject({ settings: agentSettingsSchema });
/**
 * `PUT …/agents/{agent_id}`: a change is a new version, and open calls keep theirs. `base_version` is what it was made
 * to; an agent that has another one by now is left alone, 409 `version_conflict`, with `details.current_version`.
 */
export const updateAgentSchema = z.strictObject({ settings: agentSettingsSchema, base_version: z.int().min(1) });
export const versionConflictDetailsSchema = z.object({ current_version: z.int() });

export const agentVersionSchema = z.strictObject({
  version: z.int(),
  name: z.string().nullable(),
  /** Who of the account saved it. Null: an operator did, or it is not known. */
  saved_by: z.string().nullable(),
  created_at: timestamp,
});
export type AgentVersionBody = z.output<typeof agentVersionSchema>;

/** `GET …/agents/{agent_id}/versions`, newest first. */
export const listAgentVersionsSchema = z.strictObject({
  /** The version that the page before ended with. */
  before: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
export const agentVersionListSchema = z.strictObject({ versions: z.array(agentVersionSchema), has_more: z.boolean() });
