import { z } from 'zod';
import { agentSettingsSchema, savedAgentSettingsSchema, VOICES } from '../agent-settings.ts';
import { agentIdSchema } from '../ids.ts';

const timestamp = z.iso.datetime({ precision: 3 });

export const agentSchema = z.strictObject({
  id: agentIdSchema,
  name: z.string(),
  version: z.int(),
  /** False: another account granted access to it, and only that account may change it. */
  owned: z.boolean(),
  /** Null: not readable by this account, or no longer valid (`problem` says why). */
  settings: savedAgentSettingsSchema.nullable(),
  problem: z.string().nullable(),
  /** The variables that every call must provide. */
  required_variables: z.array(z.string()),
  created_at: timestamp,
});
export type AgentBody = z.output<typeof agentSchema>;

/** An agent in a list. Its settings are read with the agent itself. */
export const agentSummarySchema = agentSchema.omit({ settings: true }).extend({
  /** Null where the settings are not readable by this account, or no longer valid. */
  voice: z.enum(VOICES).nullable(),
});
export type AgentSummaryBody = z.output<typeof agentSummarySchema>;

/** The query of `GET …/agents`. */
export const listAgentsQuerySchema = z.strictObject({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .refine((value) => value <= 100, 'must be at most 100')
    .default(20),
  /** `next_cursor` of the previous page, unchanged. */
  cursor: z.string().max(512).optional(),
});

/** `GET …/agents`, oldest first. A page may have fewer than `limit` agents although more follow. */
export const agentListSchema = z.strictObject({
  agents: z.array(agentSummarySchema),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});
/** `GET` and `PUT …/agents/{agent_id}`, `POST …/agents`. */
export const agentEnvelopeSchema = z.strictObject({ agent: agentSchema });
/** `POST …/agents`. */
export const saveAgentSchema = z.strictObject({ settings: agentSettingsSchema });
/**
 * `PUT …/agents/{agent_id}`: a change is a new version, and open calls keep theirs. `base_version` is the version that
 * was edited; if the agent has another one by now, nothing changes: 409 `version_conflict`, `details.current_version`.
 */
export const updateAgentSchema = z.strictObject({ settings: agentSettingsSchema, base_version: z.int().min(1) });
export const versionConflictDetailsSchema = z.object({ current_version: z.int() });

export const agentVersionSchema = z.strictObject({
  version: z.int(),
  name: z.string().nullable(),
  /** The member who saved it. Null: an operator did, or it is not known. */
  saved_by: z.string().nullable(),
  created_at: timestamp,
});
export type AgentVersionBody = z.output<typeof agentVersionSchema>;

/** `GET …/agents/{agent_id}/versions`, newest first. */
export const listAgentVersionsSchema = z.strictObject({
  /** The last version of the previous page. */
  before: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
export const agentVersionListSchema = z.strictObject({ versions: z.array(agentVersionSchema), has_more: z.boolean() });
