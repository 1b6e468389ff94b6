import { z } from 'zod';

/** What the URL of the calls page may carry. What cannot be used is left out, as if it had not been given. */
export const callsSearchSchema = z.object({
  status: z.string().optional().catch(undefined),
});

/** What the URL of the page that places a call may carry: what its form begins with. */
export const placeCallSearchSchema = z.object({
  agent_id: z.guid().optional().catch(undefined),
  to_number: z.string().optional().catch(undefined),
});
