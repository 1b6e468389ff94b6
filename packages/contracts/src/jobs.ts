import { z } from 'zod';
import { callIdSchema } from './ids.ts';

export const CALL_QUEUE = 'calls';

/** A job names the call and nothing else: the truth about the call is in Postgres. */
export const callJobSchema = z.strictObject({ call_id: callIdSchema });
export type CallJob = z.input<typeof callJobSchema>;
