import type { CallEvent } from '@outdial/calls';
import type { CallEventBody } from '@outdial/contracts';
import { timestamp } from './timestamp.ts';

/** An event of a call's timeline as the interface shows it, in a list or a stream. */
export function presentEvent({ id, atMs, type, data }: CallEvent): CallEventBody {
  return { id, at: timestamp(atMs), type, data };
}
