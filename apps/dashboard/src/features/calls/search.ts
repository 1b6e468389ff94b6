import { callIdSchema, e164Schema, agentIdSchema } from '@outdial/contracts';
import { z } from 'zod';

export { callFiltersSchema as callsSearchSchema } from './model/call-filters.ts';

/** What the URL of the page that places a call may carry: what its form begins with. */
export const placeCallSearchSchema = z.object({
  agent_id: agentIdSchema.optional().catch(undefined),
  to_number: e164Schema.optional().catch(undefined),
  /** A call to be placed again, with all that it was given. */
  again: callIdSchema.optional().catch(undefined),
});
