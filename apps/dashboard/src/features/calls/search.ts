import { callIdSchema, e164Schema, agentIdSchema } from '@outdial/contracts';
import { z } from 'zod';

export { callFiltersSchema as callsSearchSchema } from './model/call-filters.ts';

/** Initial values for the call form from the URL. */
export const placeCallSearchSchema = z.object({
  agent_id: agentIdSchema.optional().catch(undefined),
  to_number: e164Schema.optional().catch(undefined),
  /** The call to repeat, with its variables, metadata and limits. */
  again: callIdSchema.optional().catch(undefined),
});
