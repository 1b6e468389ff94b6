import { MessagePort } from 'node:worker_threads';
import { LOG_LEVELS } from '@outdial/kernel';
import { z } from 'zod';
import { MEDIA_PRIORITIES } from '../settings/media-priority.ts';

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
  priority: z.enum(MEDIA_PRIORITIES),
});
/** What the main thread sends to the thread itself. */
export const toMediaThreadSchema = z.strictObject({
  /** To the model thread. */
  bridge: z.instanceof(MessagePort),
  /** Its number, in the order in which bridges come. */
  nth: z.int(),
});
export type ToMediaThread = z.output<typeof toMediaThreadSchema>;

/** What the thread itself sends to the main thread. */
export type FromMediaThread =
  | { readonly kind: 'ready' }
  /** The model thread behind this bridge is silent, and was given up. */
  | { readonly kind: 'bridge_silent'; readonly nth: number };

export type MediaThreadInput = z.output<typeof mediaThreadInputSchema>;
