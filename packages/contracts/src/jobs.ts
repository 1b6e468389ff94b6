import { z } from 'zod';
import { callIdSchema } from './ids.ts';

export const CALL_QUEUE = 'calls';

/** A job names the call and nothing else: what is true of it stands in Postgres. */
export const callJobSchema = z.strictObject({ call_id: callIdSchema });
export type CallJob = z.input<typeof callJobSchema>;
