import type { Call } from '@outdial/calls';
import type { ChangedCall } from '@outdial/contracts';
import { presentCall } from '@outdial/presentation';

/**
 * A call as the dashboard's list and its change stream show it: without the fields that may be longer than all the
 * rest.
 */
export function presentChange(call: Call): ChangedCall {
  const { transcript: _transcript, variables: _variables, metadata: _metadata, ...body } = presentCall(call);
  return body;
}
