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
/** What the main thread sends to the thread itself. */
export const toMediaThreadSchema = z.strictObject({
  /** To the model thread. */
  bridge: z.instanceof(MessagePort),
});
export type ToMediaThread = z.output<typeof toMediaThreadSchema>;

export type MediaThreadInput = z.output<typeof mediaThreadInputSchema>;
