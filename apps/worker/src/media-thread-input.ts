import { MessagePort } from 'node:worker_threads';
import { LOG_LEVELS } from '@outdial/kernel';
import { z } from 'zod';

/** What the media thread is started with. */
export const mediaThreadInputSchema = z.strictObject({
  /** To the media client. */
  mediaPort: z.instanceof(MessagePort),
  /** To whoever makes speech. */
  speechPort: z.instanceof(MessagePort),
  recordingsDir: z.string(),
  rtpPorts: z.strictObject({ address: z.string(), firstPort: z.number(), lastPort: z.number() }),
  metricsEveryMs: z.number(),
  logLevel: z.enum(LOG_LEVELS),
});
export type MediaThreadInput = z.output<typeof mediaThreadInputSchema>;
