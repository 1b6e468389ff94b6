import type { z } from 'zod';
import { callSchema } from '../call.ts';

/**
 * `GET …/changes`, server-sent events. `call`: a call of the account as it now is, after it changed; whoever follows
 * keeps the newest by `id`. `resync`: more changed than can be told, or what was missed is not known: read the list
 * again. Each carries an id, which a new stream goes on after (`Last-Event-ID`). A call may be told twice.
 */
export const CHANGE_EVENTS = ['call', 'resync'] as const;
export type ChangeEvent = (typeof CHANGE_EVENTS)[number];

/** What `call` carries. Its transcript is left out: it is read with the call. */
export const changedCallSchema = callSchema.omit({ transcript: true });
export type ChangedCall = z.output<typeof changedCallSchema>;
