import type { ModelAtCredential, ModelOutcome } from '@outdial/calls';
import { unreachable } from '@outdial/kernel';
import type { ProviderFailure } from '@outdial/minds';

/** What the mind of a call says about its models, and asks before it uses a fallback. */
export interface ModelUses {
  used(model: ModelAtCredential, outcome: ModelOutcome): void;
  /** Little is left of what the provider allows in a minute. */
  nearLimit(model: ModelAtCredential): void;
  /** Takes a line for a fallback; false without one. Never rejects. */
  takeLine(model: ModelAtCredential): Promise<boolean>;
}

/** One model of a call. */
export interface ModelUse {
  readonly isFallback: boolean;
  used(outcome: ModelOutcome): void;
  nearLimit(): void;
  /** At once for what the call was claimed with, and for what it has taken. */
  mayUse(): Promise<boolean>;
}

export function modelUseOf(uses: ModelUses, model: ModelAtCredential & { readonly isFallback: boolean }): ModelUse {
  const { isFallback, component, credentialId, model: name } = model;
  const key = { component, credentialId, model: name };
  let taken = !isFallback;
  return {
    isFallback,
    used: (outcome) => uses.used(key, outcome),
    nearLimit: () => uses.nearLimit(key),
    async mayUse() {
      taken ||= await uses.takeLine(key);
      return taken;
    },
  };
}

/** Null: it shows nothing about the provider's health. */
function outcomeOf({ kind, blamesRequest }: ProviderFailure): ModelOutcome | null {
  switch (kind) {
    case 'rate_limited':
    case 'stalled':
      return 'fault';
    case 'unreachable':
    case 'dropped':
      return blamesRequest === true ? null : 'fault';
    case 'rejected':
      return 'rejected';
    case 'invalid_response':
      return null;
    default:
      return unreachable(kind);
  }
}

/** `isIdle`: nothing was asked of the provider, or nothing sent to it. It may then end the connection. */
export function noteFailure(use: ModelUse, failure: ProviderFailure, { isIdle = false } = {}): void {
  const outcome = failure.kind === 'dropped' && isIdle ? null : outcomeOf(failure);
  if (outcome !== null) use.used(outcome);
}

/** Of a fallback that has no line: the next one is tried. No evidence about its provider. */
export function withoutLine(component: ModelAtCredential['component']): ProviderFailure {
  return { component, kind: 'unreachable', message: 'no line is free for this fallback', retryAfterMs: null };
}
