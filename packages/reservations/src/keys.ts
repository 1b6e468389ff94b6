import type { AccountId, CallId } from '@outdial/contracts';

/** Every key of this package. All share one hash tag, so that one script may touch them together in a cluster too. */
export interface GateKeys {
  readonly gate: string;
  readonly holds: string;
  readonly accounts: string;
  readonly channels: string;
  readonly trunks: string;
  readonly lines: string;
  readonly credentials: string;
  readonly breakers: string;
  stagedHolds(attemptId: string): string;
  stagedAccounts(attemptId: string): string;
  dialled(callId: CallId): string;
  evidence(breaker: string): string;
  /** Who listens to live calls of the account. */
  monitorsOf(accountId: AccountId): string;
  /** Who listens to the call. */
  monitorsIn(callId: CallId): string;
  /** The pub/sub channel that announces them to workers. */
  readonly monitors: string;
}

const DEFAULT_KEY_PREFIX = '{outdial}';

/** @param prefix begins every key; must contain a hash tag: `{outdial}`. */
export function gateKeys(prefix: string = DEFAULT_KEY_PREFIX): GateKeys {
  if (!/\{[^{}]+\}/.test(prefix)) {
    throw new RangeError(`the key prefix "${prefix}" has no hash tag: write it as "{${prefix}}"`);
  }
  return {
    gate: `${prefix}:gate`,
    holds: `${prefix}:holds`,
    accounts: `${prefix}:accounts`,
    channels: `${prefix}:channels`,
    trunks: `${prefix}:trunks`,
    lines: `${prefix}:lines`,
    credentials: `${prefix}:credentials`,
    breakers: `${prefix}:breakers`,
    stagedHolds: (attemptId) => `${prefix}:staged:${attemptId}:holds`,
    stagedAccounts: (attemptId) => `${prefix}:staged:${attemptId}:accounts`,
    dialled: (callId) => `${prefix}:dialled:${callId}`,
    evidence: (breaker) => `${prefix}:evidence:${breaker}`,
    monitorsOf: (accountId) => `${prefix}:monitors-of:${accountId}`,
    monitorsIn: (callId) => `${prefix}:monitors-in:${callId}`,
    monitors: `${prefix}:monitors`,
  };
}
