import { defineContract, NO_BODY, NO_QUERY } from '../../http/define-route.ts';
import { callParams } from '../call-params.ts';

/** Answers `audio/wav`: 200 whole, 206 the part that `Range` asks for. */
export const getRecordingContract = defineContract({
  method: 'GET',
  path: '/api/v1/calls/:call_id/recording',
  params: callParams,
  query: NO_QUERY,
  body: NO_BODY,
  responses: {},
  errors: ['call_not_found', 'recording_not_available', 'range_not_satisfiable'],
});
