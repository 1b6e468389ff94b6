import type { z } from 'zod';
import { callSchema } from '../call.ts';

/**
 * `GET …/changes`, server-sent events. `call`: a call of the account as it now is, after its timeline grew; whoever
 * follows keeps the newest by `id`. It may be told twice. A note or a recording that comes later is not told. `resync`:
 * more changed than is told, or what was missed is not known: read the list again. It is the first message of a stream
 * that does not go on after another one.
 *
 * The last of each batch carries an id, which a new stream goes on after (`Last-Event-ID`, sent by the browser itself): a
 * stream that breaks off within a batch is told all of it again.
 */
export const CHANGE_EVENTS = ['call', 'resync'] as const;
export type ChangeEvent = (typeof CHANGE_EVENTS)[number];

/**
 * A call without what may be large: transcript, variables and metadata are read with the call. `call` carries it, and
 * `GET …/calls` lists it.
 */
export const changedCallSchema = callSchema.omit({ transcript: true, variables: true, metadata: true });
export type ChangedCall = z.output<typeof changedCallSchema>;
