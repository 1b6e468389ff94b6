import { z } from 'zod';
import { callIdSchema } from './ids.ts';

export const CALL_QUEUE = 'calls';
/** Of the analyses of ended calls. Its jobs name the call like those of the calls. */
export const ANALYSIS_QUEUE = 'analysis';

/** Of conversations in text. Its jobs name a try as the others name a call. */
export const TRY_QUEUE = 'tries';

/** Of conversations with simulated callees. Its jobs name a run of an evaluation. */
export const EVALUATION_QUEUE = 'evaluations';

/** A job names the call and nothing else: the truth about the call is in Postgres. */
export const callJobSchema = z.strictObject({ call_id: callIdSchema });
export type CallJob = z.input<typeof callJobSchema>;
