import type { Provider } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';

/** A request that costs no tokens, and that a provider answers only with a valid key. */
export interface CheckRequest {
  /** Follows the provider's address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The path names the model, so that a 404 means that the provider does not have it. */
  readonly namesModel: boolean;
}

/** The versions of the interfaces that the requests are written for. */
const ANTHROPIC_VERSION = '2023-06-01';
const CARTESIA_VERSION = '2025-04-16';

export function checkRequestOf(provider: Provider, apiKey: string, model: string | undefined): CheckRequest {
  const models = (headers: CheckRequest['headers']): CheckRequest => ({
    path: model === undefined ? '/models' : `/models/${model.split('/').map(encodeURIComponent).join('/')}`,
    headers,
    namesModel: model !== undefined,
  });
  const account = (path: string, headers: CheckRequest['headers']) => ({ path, headers, namesModel: false });
  switch (provider) {
    case 'openai':
    case 'openai_live':
    case 'openai_compatible':
    case 'local':
      return models({ Authorization: `Bearer ${apiKey}` });
    case 'anthropic':
      return models({ 'x-api-key': apiKey, 'anthropic-version': ANTHROPIC_VERSION });
    case 'google':
      return models({ 'x-goog-api-key': apiKey });
    // Its list has the models that can be deployed, not the deployments.
    case 'azure':
      return account('/models', { 'api-key': apiKey });
    // Its list has models of text alone.
    case 'xai':
      return account('/models', { Authorization: `Bearer ${apiKey}` });
    case 'deepgram':
      return account('/v1/projects', { Authorization: `Token ${apiKey}` });
    case 'elevenlabs':
      return account('/v1/user', { 'xi-api-key': apiKey });
    case 'cartesia':
      return account('/voices?limit=1', { 'X-API-Key': apiKey, 'Cartesia-Version': CARTESIA_VERSION });
    default:
      return unreachable(provider);
  }
}
