import { EgressError } from '@outdial/egress';
import type { ProviderFailureKind } from '../../mind.ts';

/** What a status says about the provider. */
export function kindOfStatus(status: number): ProviderFailureKind {
  if (status === 429) return 'rate_limited';
  // 408 and 409 are the provider's own trouble too.
  return status >= 500 || status < 400 || status === 408 || status === 409 ? 'unreachable' : 'rejected';
}

/** A model that never answered: one whose address is not permitted will not be reached later either. */
export function kindOfError(error: unknown): ProviderFailureKind {
  return error instanceof EgressError && error.forbidden ? 'rejected' : 'unreachable';
}
