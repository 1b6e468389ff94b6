import {
  CALL_LIMITS,
  TIME_ZONE_PROBLEM,
  type CreateCallBody,
  type E164,
  type InvalidParam,
  type Micros,
} from '@outdial/contracts';
import { zoneNamed } from '@outdial/numbering';
import { calleePlace, type CalleePlace } from '@outdial/policies';
import type { CallLimits } from '../call.ts';
import type { ConductedCall } from '../conducted-call.ts';
import type { CredentialDirectory } from '../ports/credential-directory.ts';
import type { AccountProfile, Directory, UsableAgent } from '../ports/directory.ts';
import { firstHoldMicros } from '../pricing.ts';
import type { Rate } from '../rate-deck.ts';
import { planModels, type ModelRefusal } from './plan-models.ts';

/** What a request asks for, after the account was found to be allowed to have it. */
export interface CallPlan {
  readonly agent: UsableAgent;
  readonly callerNumber: E164;
  readonly calleeNumber: E164;
  readonly currency: string;
  readonly rate: Rate;
  readonly limits: CallLimits;
  /** Null for a scripted agent. */
  readonly conducted: ConductedCall | null;
  readonly holdMicros: Micros;
  readonly place: CalleePlace;
}

export interface InvalidRequest {
  readonly kind: 'invalid_request';
  readonly details: readonly [InvalidParam, ...InvalidParam[]];
}

/** In order of precedence. */
export type CallRefusal =
  /**
   * Times that a call cannot have, `max_duration_seconds` or `ring_timeout_seconds` beyond the account's bounds, an unusable
   * agent, or missing variables.
   */
  | InvalidRequest
  | { readonly kind: 'agent_access_denied' }
  | ModelRefusal
  | NumberRefusal
  | { readonly kind: 'destination_not_allowed' };

export type NumberRefusal = { readonly kind: 'from_number_not_allowed' } | { readonly kind: 'no_outbound_number' };

export type Authorization = { readonly kind: 'authorized'; readonly plan: CallPlan } | CallRefusal;

/** What is asked for. A call that is admitted later asks for what was chosen when it was scheduled. */
export type AskedCall = Pick<
  CreateCallBody,
  | 'agent_id'
  | 'from_number'
  | 'to_number'
  | 'variables'
  | 'max_duration_seconds'
  | 'ring_timeout_seconds'
  | 'callee_time_zone'
>;

export type AskedLimits = Pick<AskedCall, 'max_duration_seconds' | 'ring_timeout_seconds'>;

export type AuthorizationDirectory = Pick<Directory, 'systemNumber' | 'rateDeck' | 'modelRateDeck'>;

export interface AuthorizationDeps {
  readonly directory: AuthorizationDirectory;
  /** For agents that models conduct. Without it no provider is configured. */
  readonly credentials?: CredentialDirectory;
}

const NO_CREDENTIALS: CredentialDirectory = { find: () => Promise.resolve(null) };

/**
 * May this account place this call? Checks agent, models, number, destination. Reserves and writes nothing. `findAgent`
 * chooses the version of the agent.
 */
export async function authorizeCall(
  { directory, credentials = NO_CREDENTIALS }: AuthorizationDeps,
  account: AccountProfile,
  body: AskedCall,
  findAgent: () => Promise<UsableAgent | null>,
): Promise<Authorization> {
  const givenZone = body.callee_time_zone === undefined ? null : zoneNamed(body.callee_time_zone);
  const invalid = paramsBeyondBounds(account, body) ?? unknownZone(body, givenZone);
  if (invalid) return invalid;
  const agent = await findAgent();
  if (agent === null) return { kind: 'agent_access_denied' };
  const refusal = unusableAgent(agent) ?? missingVariables(agent, body.variables ?? {});
  if (refusal) return refusal;
  const planned = agent.conducted && (await planModels({ directory, credentials }, account, agent.conducted));
  if (planned && planned.kind !== 'planned') return planned;
  const conducted = planned?.conducted ?? null;
  const callerNumber = await chooseCallerNumber(directory, account, body.from_number);
  if (typeof callerNumber !== 'string') return callerNumber;
  const digits = body.to_number.slice(1);
  if (account.blockedPrefixes.some((prefix) => digits.startsWith(prefix))) return { kind: 'destination_not_allowed' };
  const rate = (await directory.rateDeck(account.currency)).find(body.to_number);
  if (rate === null) return { kind: 'destination_not_allowed' };
  const limits = limitsInForce(account, body, agent);
  const holdMicros = firstHoldMicros(rate, limits.maxDurationSeconds, conducted?.estimateMicrosPerMinute);
  const { currency } = account;
  const place = calleePlace(body.to_number, givenZone);
  return {
    kind: 'authorized',
    plan: { agent, callerNumber, calleeNumber: body.to_number, currency, rate, limits, conducted, holdMicros, place },
  };
}

function unknownZone(body: AskedCall, givenZone: string | null): CallRefusal | null {
  if (body.callee_time_zone === undefined || givenZone !== null) return null;
  return invalidRequest([{ param: 'callee_time_zone', message: TIME_ZONE_PROBLEM }]);
}

/** An agent's settings may lower the longest talk, also one that the request asks for. They never raise it. */
export function limitsInForce(account: AccountProfile, body: AskedLimits, agent: UsableAgent): CallLimits {
  const { maxDurationSeconds, ringTimeoutSeconds } = CALL_LIMITS;
  const asked = body.max_duration_seconds ?? Math.min(maxDurationSeconds.default, account.maxDurationSeconds);
  return {
    maxDurationSeconds: Math.min(asked, agent.conducted?.maxDurationSeconds ?? asked),
    ringTimeoutSeconds: body.ring_timeout_seconds ?? Math.min(ringTimeoutSeconds.default, account.ringTimeoutSeconds),
  };
}

export function paramsBeyondBounds(account: AccountProfile, body: AskedLimits): InvalidRequest | null {
  const details: InvalidParam[] = [];
  if (body.max_duration_seconds !== undefined && body.max_duration_seconds > account.maxDurationSeconds) {
    details.push(beyond('max_duration_seconds', account.maxDurationSeconds));
  }
  if (body.ring_timeout_seconds !== undefined && body.ring_timeout_seconds > account.ringTimeoutSeconds) {
    details.push(beyond('ring_timeout_seconds', account.ringTimeoutSeconds));
  }
  return invalidRequest(details);
}

function beyond(param: string, limit: number): InvalidParam {
  return { param, message: `must be at most ${limit} for this account` };
}

export function unusableAgent(agent: UsableAgent): InvalidRequest | null {
  if (agent.requiredVariables !== null) return null;
  const message = 'names an agent whose stored settings are no longer valid: save them again';
  return invalidRequest([{ param: 'agent_id', message }]);
}

function missingVariables(agent: UsableAgent, variables: Readonly<Record<string, string>>): CallRefusal | null {
  const required = agent.requiredVariables ?? [];
  if (required.length === 0) return null;
  const missing = required.filter((name) => !Object.hasOwn(variables, name));
  return invalidRequest(missing.map((name) => ({ param: `variables.${name}`, message: 'is required by this agent' })));
}

/** Null if there is nothing to say. */
export function invalidRequest(details: readonly InvalidParam[]): InvalidRequest | null {
  const [first, ...rest] = details;
  return first === undefined ? null : { kind: 'invalid_request', details: [first, ...rest] };
}

export async function chooseCallerNumber(
  directory: AuthorizationDirectory,
  account: AccountProfile,
  given: E164 | undefined,
): Promise<E164 | NumberRefusal> {
  const own = account.outboundNumbers;
  if (given !== undefined && own.includes(given)) return given;
  if (given === undefined && own[0] !== undefined) return own[0];
  const systemNumber = account.mayUseSystemNumber ? await directory.systemNumber() : null;
  if (given !== undefined) return given === systemNumber ? given : { kind: 'from_number_not_allowed' };
  return systemNumber ?? { kind: 'no_outbound_number' };
}
