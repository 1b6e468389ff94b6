import {
  breakerNameSchema,
  COMPONENTS,
  PROVIDERS,
  type AccountId,
  type AgentId,
  type BreakerName,
  type Component,
  type Provider,
} from '@outdial/contracts';
import type { PinnedModel } from './conducted-call.ts';

/** Whose calls a breaker holds back. */
export type BreakerScope =
  /** All calls. */
  | 'model'
  /** Those of one account that uses the operator's credential. */
  | 'account'
  /** Those of one version of an agent. */
  | 'agent_version';

export interface CallOfModel {
  readonly accountId: AccountId;
  readonly agentId: AgentId;
  readonly agentVersion: number;
}

/** The breakers that a call has to pass to use a model. `account` is null for the account's own credential. */
export interface BreakersOfModel {
  readonly model: BreakerName;
  readonly account: BreakerName | null;
  readonly agentVersion: BreakerName;
}

type ModelOfBreaker = Pick<PinnedModel, 'component' | 'provider' | 'model' | 'credentialId' | 'isOwn'>;

export function breakersOf(
  { component, provider, model, credentialId, isOwn }: ModelOfBreaker,
  { accountId, agentId, agentVersion }: CallOfModel,
): BreakersOfModel {
  const name = `${provider}:${component}:${credentialId}:${encodeURIComponent(model)}`;
  return {
    model: breakerNameSchema.parse(name),
    account: isOwn ? null : breakerNameSchema.parse(`${name}@${accountId}`),
    agentVersion: breakerNameSchema.parse(`${name}@${agentId}.${agentVersion}`),
  };
}

export function breakerNames({ model, account, agentVersion }: BreakersOfModel): readonly BreakerName[] {
  return account === null ? [model, agentVersion] : [model, account, agentVersion];
}

export interface ParsedBreaker {
  readonly name: BreakerName;
  readonly provider: Provider;
  readonly component: Component;
  readonly credentialId: string;
  readonly model: string;
  readonly scope: BreakerScope;
}

/** Null: not a breaker's name. */
export function parseBreakerName(text: string): ParsedBreaker | null {
  const parsed = breakerNameSchema.safeParse(text);
  const [key = '', limit] = text.split('@');
  const [first, second, credentialId, model] = key.split(':');
  const provider = PROVIDERS.find((one) => one === first);
  const component = COMPONENTS.find((one) => one === second);
  if (!parsed.success || !provider || !component || credentialId === undefined || model === undefined) return null;
  const name = parsed.data;
  return { name, provider, component, credentialId, model: decodeURIComponent(model), scope: scopeOf(limit) };
}

function scopeOf(limit: string | undefined): BreakerScope {
  if (limit === undefined) return 'model';
  return limit.includes('.') ? 'agent_version' : 'account';
}

/**
 * What the use of a model showed about its provider.
 *
 * - `success`: the provider did its work.
 * - `fault`: its own: no connection, 5xx, a timeout, 429.
 * - `rejected`: it refused the request: the settings, the content, the key.
 */
export type ModelOutcome = 'success' | 'fault' | 'rejected';

/** What a breaker knows of one use. `fault`: of the kind that the breaker counts. Times are Redis's. */
export interface BreakerEvidence {
  readonly atMs: number;
  readonly outcome: 'success' | 'fault';
  readonly accountId: AccountId;
}

/** A breaker that opened and has not closed since. Until `untilMs` it is open, then half-open. */
export interface BreakerOutage {
  /** How often it opened in a row. */
  readonly streak: number;
  readonly sinceMs: number;
  readonly untilMs: number;
}
