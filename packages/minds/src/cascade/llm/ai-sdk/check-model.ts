import { unreachable } from '@outdial/kernel';
import { providerFailure } from '../../../failure.ts';
import type { ProviderFailure } from '../../../mind.ts';
import { kindOfError, kindOfStatus } from '../http-failure.ts';
import { readRest } from '../read-rest.ts';
import { retryDelayOf } from './retry-delay.ts';

const ANTHROPIC_VERSION = '2023-06-01';
/** Enough for the code of an error. */
const MAX_ERROR_LENGTH = 4_096;

export interface CheckedModel {
  readonly provider: 'openai' | 'anthropic' | 'google';
  readonly credential: string;
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
}

/**
 * Asks the provider for its models: a request without tokens that only a valid key is answered. Null: the key is taken. A
 * server without such a list (404) says nothing against the key.
 */
export async function checkModel(
  { provider, credential, baseUrl, fetch }: CheckedModel,
  signal: AbortSignal,
): Promise<ProviderFailure | null> {
  const failure = (kind: ProviderFailure['kind'], message: string, retryAfter: string | null = null) =>
    providerFailure({ component: 'llm', kind, message, credential, retryAfter });
  try {
    const headers = headersOf(provider, credential);
    const response = await fetch(`${baseUrl.replace(/\/$/, '')}/models`, { headers, signal, redirect: 'error' });
    if (response.ok || response.status === 404) {
      await readRest(response.body);
      return null;
    }
    const text = (await response.text()).slice(0, MAX_ERROR_LENGTH);
    // Google answers a wrong key with 400.
    const isWrongKey = provider === 'google' && text.includes('API_KEY_INVALID');
    const kind = isWrongKey ? 'rejected' : kindOfStatus(response.status);
    const retryAfter = response.headers.get('retry-after') ?? retryDelayOf(text);
    return failure(kind, `the models were refused: HTTP ${response.status}`, retryAfter);
  } catch (error) {
    return failure(kindOfError(error), error instanceof Error ? error.message : 'the models could not be asked for');
  }
}

function headersOf(provider: CheckedModel['provider'], credential: string): Readonly<Record<string, string>> {
  switch (provider) {
    case 'openai':
      return { authorization: `Bearer ${credential}` };
    case 'anthropic':
      return { 'x-api-key': credential, 'anthropic-version': ANTHROPIC_VERSION };
    case 'google':
      return { 'x-goog-api-key': credential };
    default:
      return unreachable(provider);
  }
}
