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
/** `POST …/agents` and `PUT …/agents/{agent_id}`; a change is a new version, and open calls keep theirs. */
export const saveAgentSchema = z.strictObject({ settings: agentSettingsSchema });
