import { CodedError } from '@outdial/kernel';

/** Why a change was rejected. Nothing was changed. */
export type RefusalCode =
  | 'account_not_found'
  | 'key_not_found'
  | 'agent_not_found'
  | 'version_conflict'
  | 'number_not_found'
  | 'number_exists'
  | 'trunk_not_found'
  | 'trunk_exists'
  | 'credential_exists'
  | 'worker_not_found'
  | 'request_not_found'
  | 'webhook_endpoint_not_found'
  | 'deck_not_found'
  | 'idempotency_key_reused'
  | 'balance_out_of_bounds'
  | 'retention_incoherent';

export type Refusal = CodedError<RefusalCode>;

/** `param` names the input at fault; the message says what to do. */
export function refusal(code: RefusalCode, param: string, message: string, cause?: unknown): Refusal {
  return new CodedError({ code, param, publicMessage: message, cause });
}

export function accountNotFound(accountId: string): Refusal {
  return refusal(
    'account_not_found',
    'account_id',
    `There is no account ${accountId}. List the accounts to find its id.`,
  );
}

export function agentNotFound(agentId: string): Refusal {
  return refusal(
    'agent_not_found',
    'agent_id',
    `There is no agent ${agentId}. List the account's agents to find its id.`,
  );
}
