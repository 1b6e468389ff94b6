import type { CallToolResult } from '@modelcontextprotocol/server';
import { OutdialError } from '@outdial/sdk';

/** A tool cannot do what it was asked for. */
export class Refused extends Error {
  readonly code: string;
  /** What the model does now. */
  readonly next: string;

  constructor(code: string, message: string, next: string) {
    super(message);
    this.name = 'Refused';
    this.code = code;
    this.next = next;
  }
}

/** What to do about a code of the API. Codes without a line say it in their message. */
const NEXT: Readonly<Record<string, string>> = {
  missing_api_key: 'Ask the user to connect with an API key.',
  invalid_api_key: 'Ask the user to connect with a valid API key.',
  scope_missing: 'Ask the user for an API key with the scope `outbound`.',
  insufficient_funds: 'Call get_account and report the balance. Only a top-up by the user helps.',
  capacity_exceeded:
    'All slots are in use. Wait for a call to end with wait_for_call, then repeat this request. Or repeat it with on_capacity `queue`.',
  too_many_scheduled: 'Schedule no more calls for now. Report it to the user, who may end some of them.',
  rate_limited: 'Wait a few seconds, then repeat this request with the same arguments.',
  agent_access_denied: 'Call list_agents and choose one of them.',
  agent_not_found: 'Call list_agents and choose one of them.',
  provider_not_configured: 'Choose another agent, or ask the user to add the provider key in the dashboard.',
  from_number_not_allowed: 'Call list_phone_numbers and choose an active one, or leave out from_number.',
  no_outbound_number: 'The account has no number that may call. Ask the user to request one in the dashboard.',
  destination_not_allowed: 'Do not try this number again. Report it to the user.',
  suppressed: 'The number is on a do-not-call list. Do not call it from another number either. Report it to the user.',
  outside_calling_window:
    'It is outside the hours in which the account calls this person. Report when they open, or repeat this request with on_closed `wait`, if the user wants the call then. Do not guess callee_time_zone.',
  frequency_capped:
    'The number was called as often as the account allows. Do not call it from another number either. Report when it may be called again.',
  too_many_suppressions:
    'The do-not-call list of the account is full. Report it to the user, who may ask the operator.',
  campaign_not_found: 'Check the id with list_campaigns.',
  campaign_state: 'Call get_campaign, and report its state to the user.',
  campaign_empty: 'Add contacts with add_contacts, then start it.',
  upload_in_progress: 'A file is being received. Repeat this request in a minute.',
  too_many_campaigns: 'Report it to the user, who may pause or cancel another campaign.',
  too_many_contacts: 'The campaign is full. Report it to the user.',
  idempotency_key_reused: 'This key names another call. Use another key only if the user wants a further call.',
  idempotency_in_progress: 'Repeat this request with the same arguments in a few seconds.',
  call_not_found: 'Check the id with list_calls.',
  outcome_unknown: 'Repeat this request with the same arguments: it never places a second call.',
  connection_failed: 'Repeat this request with the same arguments.',
  timeout: 'Repeat this request with the same arguments.',
  service_unavailable: 'Repeat this request with the same arguments in a few seconds.',
  internal_error: 'Repeat this request once with the same arguments, then report it to the user.',
};
const NEXT_OTHERWISE = 'Correct the arguments as the message says, or report it to the user.';

const INTERNAL = 'internal_error';

/** The result of a tool that failed: what the API refused, or an internal error without its text. */
export function refusal(error: unknown, onDefect: (error: unknown) => void): CallToolResult {
  if (error instanceof Refused) return resultOf(error.code, error.message, error.next);
  if (!(error instanceof OutdialError)) {
    onDefect(error);
    return resultOf(INTERNAL, 'An internal error occurred.', NEXT[INTERNAL] ?? NEXT_OTHERWISE);
  }
  const { code, message, param, requestId } = error;
  return resultOf(code, message, NEXT[code] ?? NEXT_OTHERWISE, {
    ...(param === undefined ? {} : { param }),
    ...(requestId === null ? {} : { request_id: requestId }),
  });
}

function resultOf(
  code: string,
  message: string,
  next: string,
  more: Readonly<Record<string, string>> = {},
): CallToolResult {
  const text = JSON.stringify({ error: { code, message, next, ...more } });
  return { isError: true, content: [{ type: 'text', text }] };
}
