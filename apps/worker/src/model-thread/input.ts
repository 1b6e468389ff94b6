import { MessagePort } from 'node:worker_threads';
import { LOG_LEVELS } from '@outdial/kernel';
import { z } from 'zod';

/** The start parameters of the model thread. Credentials are never among them: they come with each call. */
export const modelThreadInputSchema = z.strictObject({
  /** Connects to the main thread. */
  port: z.instanceof(MessagePort),
  /** Networks that tools and the operator's credentials may reach beside the internet, as `OUTDIAL_EGRESS_ALLOW` lists them. */
  egressAllow: z.string(),
  egressProxy: z.string().nullable(),
  logLevel: z.enum(LOG_LEVELS),
  modelLog: z.enum(['off', 'shapes']),
});
export type ModelThreadInput = z.output<typeof modelThreadInputSchema>;
