import { MessagePort } from 'node:worker_threads';
import { LOG_LEVELS } from '@outdial/kernel';
import { z } from 'zod';

/** The start parameters of the media thread. */
export const mediaThreadInputSchema = z.strictObject({
  /** Connects to the media client. */
  mediaPort: z.instanceof(MessagePort),
  /** Connects to the thread that synthesizes speech. */
  speechPort: z.instanceof(MessagePort),
  recordingsDir: z.string(),
  rtpPorts: z.strictObject({ address: z.string(), firstPort: z.number(), lastPort: z.number() }),
  metricsEveryMs: z.number(),
  logLevel: z.enum(LOG_LEVELS),
});
export type MediaThreadInput = z.output<typeof mediaThreadInputSchema>;
