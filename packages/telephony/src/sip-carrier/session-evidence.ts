import type { DialRequest, Trunk, TrunkEvidence } from '@outdial/calls';
import type { AccountId } from '@outdial/contracts';
import type { SessionEnd } from '@outdial/sip';

/** How long a trunk without OPTIONS checks is avoided after nothing could be sent to it. */
const UNSENT_MS = 60_000;

/** A call that was given to a trunk. `sinceMs`: when its attempt began. */
export interface MonitoredCall extends Pick<DialRequest, 'callId' | 'accountId' | 'calleeNumber'> {
  readonly sinceMs: number;
  /** A provisional response above 100 came. */
  readonly rang: boolean;
}

export interface EndedAttempt {
  readonly trunk: Trunk;
  readonly end: SessionEnd;
  readonly call: MonitoredCall;
  /** A digest of the called number. */
  readonly destination: string;
  readonly nowMs: number;
}

/**
 * What the end of an attempt shows about its trunk. Nothing if we caused the end, or if it concerns only the
 * destination.
 */
export function evidenceOf({ trunk, end, call, destination, nowMs }: EndedAttempt): readonly TrunkEvidence[] {
  const { outcome, sipCode, retryAfterSeconds, detail } = end;
  const { callId, accountId, rang, sinceMs } = call;
  const failed = { kind: 'failed', callId, accountId, destination, detail, atMs: nowMs, own: true } as const;
  if (outcome === 'unauthorized') {
    return [{ ...failed, failure: 'unauthorized', sinceMs: nowMs, retryAfterMs: null }];
  }
  if (outcome === 'unsent') {
    const forMs = trunk.healthCheck === 'options' ? null : UNSENT_MS;
    const seen = { atMs: nowMs, sinceMs: nowMs, own: true, forMs, detail };
    return [{ kind: 'unanswered', state: 'unreachable', ...seen }];
  }
  // A trunk that let the call ring has accepted it: what came after that is the destination's.
  if (rang && sipCode !== null) return [carriedEvidence(accountId, nowMs)];
  if (outcome === 'silent') return rang ? [] : [{ ...failed, failure: 'silent', sinceMs, retryAfterMs: null }];
  if (sipCode === 503) {
    const retryAfterMs = retryAfterSeconds === null ? null : retryAfterSeconds * 1_000;
    return [{ ...failed, failure: 'congested', sinceMs: nowMs, retryAfterMs }];
  }
  // 401 and 407 come from the trunk's own edge.
  return sipCode === null || sipCode === 401 || sipCode === 407 ? [] : [carriedEvidence(accountId, nowMs)];
}

/** A destination behind the trunk answered a call. */
export function carriedEvidence(accountId: AccountId, atMs: number): TrunkEvidence {
  return { kind: 'carried', accountId, atMs, own: true };
}
