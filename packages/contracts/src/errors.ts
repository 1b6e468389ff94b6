import { z } from 'zod';

/** Every code that an error response may carry. The API maps each to its status in one table. */
export const ERROR_CODES = [
  'missing_api_key',
  'invalid_api_key',
  'scope_missing',
  'rate_limited',
  'invalid_request',
  'body_too_large',
  'unsupported_media_type',
  'agent_access_denied',
  'provider_not_configured',
  'model_not_priced',
  'from_number_not_allowed',
  'no_outbound_number',
  'destination_not_allowed',
  'suppressed',
  'outside_calling_window',
  'frequency_capped',
  'insufficient_funds',
  'capacity_exceeded',
  'too_many_scheduled',
  'no_trunk_available',
  'idempotency_key_reused',
  'idempotency_in_progress',
  'service_unavailable',
  'outcome_unknown',
  'call_not_found',
  'call_not_live',
  'instruction_not_possible',
  'agent_not_found',
  'version_conflict',
  'recording_not_available',
  'credential_not_found',
  'credential_exists',
  'api_key_not_found',
  'secret_not_found',
  'secret_key_missing',
  'try_not_found',
  'try_over',
  'try_not_possible',
  'try_medium_differs',
  'evaluation_not_found',
  'evaluation_not_possible',
  'suppression_not_found',
  'opt_out_stands',
  'too_many_suppressions',
  'campaign_not_found',
  'campaign_state',
  'campaign_empty',
  'upload_in_progress',
  'too_many_campaigns',
  'too_many_contacts',
  'upload_not_found',
  'upload_failed',
  'lines_refused',
  'webhook_endpoint_not_found',
  'webhook_endpoint_disabled',
  'webhook_endpoint_draining',
  'webhook_message_not_found',
  'webhook_listener_not_found',
  'too_many_endpoints',
  'rotation_in_progress',
  'resend_limit_reached',
  'replay_in_progress',
  'replay_not_found',
  'range_not_satisfiable',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'expectation_failed',
  'headers_too_large',
  'internal_error',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** What each code means, for the client. */
export const ERROR_MEANINGS: Readonly<Record<ErrorCode, string>> = {
  missing_api_key: 'The request carries no API key.',
  invalid_api_key: 'The key is unknown, revoked or expired, or its account is disabled.',
  scope_missing: 'The key does not have the scope (`details.scope`) that this route needs.',
  rate_limited:
    'The key or its account (`details.scope`: `key` or `account`) sends too many requests, reads too much at once, has too many open streams, or has reached another limit (`details.thing`).',
  invalid_request: 'The request is invalid; `details` names each invalid parameter and what it must be.',
  body_too_large:
    'The body is larger than the route accepts: 512 KiB for agents, 1 MiB for contacts of a campaign and 256 MiB for a file of them, 64 MiB for an import of a do-not-call list, else 64 KiB.',
  unsupported_media_type: 'The body is not sent as `application/json`, or a file not as `text/csv`.',
  agent_access_denied: 'The account may not use this agent, or no agent has this id.',
  provider_not_configured:
    'The agent uses a provider without a credential; `details` has the `provider`, and the `path` of the model in its settings.',
  model_not_priced:
    'The agent uses a model without a rate in the account’s currency; `details` has `provider`, `model` and `currency`.',
  from_number_not_allowed: 'The account may not call from this number.',
  no_outbound_number: 'The account has no number to call from.',
  destination_not_allowed: 'The number has no rate, or is blocked for the account.',
  suppressed: 'The number is on a do-not-call list: the account’s own, or the platform’s. Nothing was dialed.',
  outside_calling_window:
    'The calling policy keeps the callee’s hours closed; `details` has `opens_at` and the `zones` in which the callee may be. Nothing was dialed. With `on_closed: wait` the call waits for that time.',
  frequency_capped:
    'The number was called as often as the calling policy allows; `details.until` is when it may be called again. Nothing was dialed.',
  insufficient_funds:
    'The wallet does not cover the amount that the call or the try reserves; `details` has both amounts.',
  capacity_exceeded:
    'All slots of the account or of the service (`details.scope`) are in use. With `on_capacity: queue` the call waits for one.',
  too_many_scheduled:
    'The account has as many scheduled calls as it may have (`details.limit`). Retry once some were dialed or ended.',
  no_trunk_available:
    'No trunk takes calls, and none is expected to while the call could wait in the queue. The call was not accepted; retry after `Retry-After`.',
  idempotency_key_reused: 'The Idempotency-Key was used with another body.',
  idempotency_in_progress: 'A request with this Idempotency-Key is still in progress.',
  service_unavailable: 'A store is unavailable. No call was created; it is safe to retry.',
  outcome_unknown:
    'It is not known whether the call was accepted: retry with the same Idempotency-Key, or read the call `details.call_id`.',
  call_not_found: 'The account has no call with this id.',
  call_not_live:
    'The call does not talk: it is not answered, is ending, or has ended (`details.status`), or its worker did not answer. The instruction was not taken.',
  instruction_not_possible: 'A scripted agent conducts the call: there is no model to instruct.',
  agent_not_found: 'The account has no agent with this id, or does not own it.',
  version_conflict:
    'The agent was saved since `base_version`; `details.current_version` is its version now. Nothing was changed.',
  recording_not_available: 'There is no recording, or it is not available yet.',
  credential_not_found: 'The account has no credential with this id.',
  credential_exists: 'The account has a credential with this name.',
  api_key_not_found: 'The account has no API key with this id.',
  secret_not_found: 'The account has no secret with this name.',
  secret_key_missing: 'The service has no key to seal secrets with: its operator must set `OUTDIAL_SECRET_KEY`.',
  try_not_found: 'The account has no try with this id for this agent.',
  try_over: 'The try has ended: begin another one.',
  try_not_possible:
    'The agent cannot be tried this way: a scripted agent is heard in a call alone, and only a member talks by microphone.',
  try_medium_differs: 'The try has another medium: one by microphone takes no text, and one in text no sound.',
  evaluation_not_found: 'The account has no evaluation with this id for this agent.',
  evaluation_not_possible: 'A scripted agent listens to sound alone, so simulated callees cannot talk with it as text.',
  suppression_not_found: 'The account’s do-not-call list has no entry with this id.',
  opt_out_stands: 'The person opted out, so the entry stays. Only the operator of the service lifts it.',
  too_many_suppressions:
    'The account’s do-not-call list has as many entries as it may have (`details.limit`). Opt-outs are added all the same.',
  campaign_not_found: 'The account has no campaign with this id.',
  campaign_state: 'The campaign is in a state (`details.state`) that does not allow this. Nothing was changed.',
  campaign_empty: 'The campaign has no contact to call yet. Add contacts, then start it.',
  upload_in_progress: 'A file of contacts is still being received. Retry once it is ready or has failed.',
  too_many_campaigns:
    'As many campaigns of the account run, or are stored, as may (`details.limit`). Pause one, or wait for its end.',
  upload_not_found: 'The account has no such campaign, or the campaign no such upload.',
  upload_failed:
    'The upload was given up, because nothing came for ten minutes, or a standby took over that does not have all of it. Nothing of it was added; send it again.',
  lines_refused:
    'The file has lines that are no contact, and `on_invalid=refuse` was asked for. Nothing was added; `details.upload` is the upload whose errors name them.',
  too_many_contacts: 'The campaign would have more contacts than it may (`details.limit`). None was added.',
  webhook_endpoint_not_found: 'The account has no webhook endpoint with this id.',
  webhook_endpoint_disabled:
    'The webhook endpoint is disabled (`details.reason`). Enable it first; only an operator enables what an operator disabled.',
  webhook_endpoint_draining:
    'What was pending when the endpoint was disabled is still being dropped. Retry after `Retry-After`.',
  webhook_message_not_found: 'The account has no webhook message with this id, or it was deleted after its retention.',
  webhook_listener_not_found: 'The account has no listener with this id, or it has expired. Create another one.',
  too_many_endpoints: 'The account has reached its limit of webhook endpoints (`details.max`).',
  rotation_in_progress:
    'The previous secret still signs until `details.previous_until`. Rotate again after that, or with `overlap_hours` 0, which ends both secrets at once.',
  resend_limit_reached: 'The message was sent to the endpoint as often as a message may be (`details.max`).',
  replay_in_progress: 'A replay to this endpoint is under way. Wait for its end, or cancel it.',
  replay_not_found: 'The endpoint has no replay with this id.',
  range_not_satisfiable: 'The Range is beyond the end of the recording.',
  not_found: 'No route matches this path.',
  method_not_allowed: 'The path does not support this method; `Allow` lists the supported ones.',
  request_timeout: 'The request did not arrive in time.',
  expectation_failed: '`Expect` has a value other than `100-continue`.',
  headers_too_large: 'The headers are larger than 16 KiB.',
  internal_error: 'An error of the service. Report the `request_id` to its operator.',
};

export const errorBodySchema = z.strictObject({
  error: z.strictObject({
    code: z.enum(ERROR_CODES).describe('For programs.'),
    message: z.string().describe('For people. Says what to do next.'),
    param: z.string().optional().describe('The invalid parameter, as a dotted path.'),
    details: z.unknown().optional().describe('Details that depend on the code.'),
    request_id: z.string().describe('The same as `X-Request-Id`; identifies the request in the service’s log.'),
  }),
});

export type ErrorBody = z.output<typeof errorBodySchema>;

/** One entry of `invalid_request`'s details. `param` is a dotted path: `variables.name`. */
export interface InvalidParam {
  readonly param: string;
  readonly message: string;
}
