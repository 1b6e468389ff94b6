import { EgressError } from '@outdial/egress';
import { providerFailure } from '../../failure.ts';
import type { MindComponent, ProviderFailure, ProviderFailureKind } from '../../mind.ts';

const MAX_REFUSAL_CHARACTERS = 2_048;

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

/** Node's fetch says why it failed in the cause alone. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** Why a provider answered with a status that is no success. */
export async function refusalOf(
  response: Response,
  { component, credential }: { readonly component: MindComponent; readonly credential: string },
): Promise<ProviderFailure> {
  const text = await response.text().catch(() => '');
  return providerFailure({
    component,
    credential,
    kind: kindOfStatus(response.status),
    message: `HTTP ${response.status}: ${text.slice(0, MAX_REFUSAL_CHARACTERS)}`,
    retryAfter: response.headers.get('retry-after'),
  });
}
