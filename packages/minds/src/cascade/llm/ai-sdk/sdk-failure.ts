import { APICallError, InvalidResponseDataError, JSONParseError, TypeValidationError } from '@ai-sdk/provider';
import { z } from 'zod';
import { codeBlamesRequest, providerFailure } from '../../../failure.ts';
import type { ProviderFailure, ProviderFailureKind } from '../../../mind.ts';
import { kindOfError, kindOfStatus } from '../http-failure.ts';
import { retryDelayOf } from './retry-delay.ts';

/** An error in the middle of a stream, as providers send it. */
const errorEvent = z.object({
  type: z.string().nullish(),
  code: z.union([z.string(), z.number()]).nullish(),
  message: z.string(),
});

/** What an error of the AI SDK says about the provider. `begun`: it had taken the request. */
export function sdkFailure(
  error: unknown,
  { begun, credential }: { readonly begun: boolean; readonly credential: string },
): ProviderFailure {
  const event = errorEvent.safeParse(error).data;
  const message = event?.message ?? 'the answer failed';
  const retryAfter = APICallError.isInstance(error) ? retryAfterOf(error) : null;
  const kind = begun ? kindInAnswer(error, event?.type ?? '') : kindBefore(error);
  // A lost connection is an `Error`; what the provider says of the answer is not.
  const says = event === undefined || error instanceof Error ? null : `${event.code ?? ''} ${event.type ?? ''}`;
  const blamesRequest = begun && says !== null && codeBlamesRequest(says);
  return providerFailure({ component: 'llm', kind, message, credential, retryAfter, blamesRequest });
}

function retryAfterOf({ responseHeaders, responseBody }: APICallError): string | null {
  return responseHeaders?.['retry-after'] ?? retryDelayOf(responseBody ?? '');
}

function kindBefore(error: unknown): ProviderFailureKind {
  const status = APICallError.isInstance(error) ? (error.statusCode ?? 0) : 0;
  // An answer that breaks off has the status of its begin.
  return status >= 400 ? kindOfStatus(status) : isInvalid(error) ? 'invalid_response' : kindOfError(error);
}

/** What the provider has taken is not the request's fault, whatever follows. */
function kindInAnswer(error: unknown, type: string): ProviderFailureKind {
  if (isInvalid(error)) return 'invalid_response';
  const status = APICallError.isInstance(error) ? error.statusCode : undefined;
  return status === 429 || type === 'rate_limit_error' ? 'rate_limited' : 'dropped';
}

const isInvalid = (error: unknown): boolean =>
  JSONParseError.isInstance(error) ||
  TypeValidationError.isInstance(error) ||
  InvalidResponseDataError.isInstance(error);
