import { z } from 'zod';
import { callIdSchema } from './ids.ts';

export const CALL_QUEUE = 'calls';
/** Of the analyses of ended calls. Its jobs name the call like those of the calls. */
export const ANALYSIS_QUEUE = 'analysis';

/** A job names the call and nothing else: the truth about the call is in Postgres. */
export const callJobSchema = z.strictObject({ call_id: callIdSchema });
export type CallJob = z.input<typeof callJobSchema>;
