import type { Call } from '@outdial/calls';
import type { ChangedCall } from '@outdial/contracts';
import { presentCall } from './call.ts';

/** A call as a stream of changes shows it: its transcript may be longer than all the rest. */
export function presentChange(call: Call): ChangedCall {
  const { transcript: _, ...body } = presentCall(call);
  return body;
}
