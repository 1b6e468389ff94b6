import type { z } from 'zod';
import { callSchema } from '../call.ts';

/**
 * `GET …/changes`, server-sent events. `call`: a call of the account in its current state, after its timeline grew;
 * clients keep the newest by `id`. An event may be repeated. Later notes and recordings cause no event. `resync`: too
 * much changed to be listed, or the missed changes are not known: reload the list. It is the first message of a stream
 * that does not resume another one.
 *
 * The last event of each batch carries an id, from which a new stream resumes (`Last-Event-ID`, sent by the browser
 * itself). A stream that breaks off within a batch repeats the whole batch.
 */
export const CHANGE_EVENTS = ['call', 'resync'] as const;
export type ChangeEvent = (typeof CHANGE_EVENTS)[number];

/**
 * A call without its large fields: transcript, variables and metadata are read with the call. The `call` event carries
 * it, and `GET …/calls` lists it.
 */
export const changedCallSchema = callSchema.omit({ transcript: true, variables: true, metadata: true });
export type ChangedCall = z.output<typeof changedCallSchema>;
