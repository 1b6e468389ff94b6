import type { CheckResult, Provider } from '@outdial/contracts';
import { EgressError, type EgressClient, type EgressScope } from '@outdial/egress';
import { checkRequestOf, type CheckRequest } from './check-request.ts';
import type { OpenedCredential } from './credential.ts';
import { providerAddress } from './provider-address.ts';

export interface CheckInput {
  readonly credential: Pick<OpenedCredential, 'accountId' | 'provider' | 'baseUrl' | 'region' | 'apiKey'>;
  /** Also ask whether the provider has this model, where it lists its models. */
  readonly model?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CheckOutcome {
  readonly result: CheckResult;
  /** For people. Ours: a provider's text may quote the key. */
  readonly message: string;
}

const TIMEOUT_MS = 10_000;
/** Enough for the code of an error. A list of models is not read. */
const MAX_RESPONSE_BYTES = 4_096;

/** whisper.cpp, and others that serve one model. */
const NO_LIST = 'The server answers, and has no list of models.';

/** Where a credential may lead: an account's to the internet, the operator's also into the operator's own network. */
export function egressScopeOf({ accountId }: Pick<OpenedCredential, 'accountId'>): EgressScope {
  return accountId === null ? 'allow_list' : 'internet';
}

/**
 * Asks the provider with one request that costs no tokens, for at most 10 s.
 * @throws EgressError `aborted` if the signal ends it; no other error
 */
export async function checkCredential(
  egress: Pick<EgressClient, 'request'>,
  { credential, model, signal }: CheckInput,
): Promise<CheckOutcome> {
  const { provider, apiKey } = credential;
  const address = providerAddress(credential);
  if (address === null) return { result: 'unreachable', message: 'The credential has no address for this provider.' };
  const request = checkRequestOf(provider, apiKey, model);
  try {
    const { status, body } = await egress.request({
      scope: egressScopeOf(credential),
      method: 'GET',
      url: `${address}${request.path}`,
      headers: { ...request.headers, Accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      ...(signal === undefined ? {} : { signal }),
    });
    return outcomeOf(provider, request, { status, text: body.toString('utf8') });
  } catch (error) {
    if (!(error instanceof EgressError) || error.code === 'aborted') throw error;
    return { result: 'unreachable', message: `The provider could not be reached: ${error.message}.` };
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function outcomeOf(provider: Provider, { namesModel }: CheckRequest, answer: Answer): CheckOutcome {
  const { status } = answer;
  if (status < 300 || isRestricted(provider, answer)) return { result: 'ok', message: 'The provider accepts the key.' };
  if (provider === 'local' && status === 404 && !namesModel) return { result: 'ok', message: NO_LIST };
  if (status === 401 || status === 403 || isRejected(provider, answer)) {
    return { result: 'rejected', message: `The provider rejects the key (status ${status}). Rotate the credential.` };
  }
  if (status === 404 && namesModel) {
    return { result: 'no_such_model', message: 'The provider accepts the key, and does not have this model.' };
  }
  const advice = status === 404 ? 'Check the address.' : 'Try again later.';
  return { result: 'unreachable', message: `The provider gave no usable answer (status ${status}). ${advice}` };
}

/** Google and xAI answer an invalid key with 400. */
function isRejected(provider: Provider, { status, text }: Answer): boolean {
  if (status !== 400) return false;
  if (provider === 'xai') return text.includes('Incorrect API key');
  return provider === 'google' && text.includes('API_KEY_INVALID');
}

/** A valid key may have the rights of calls alone: to read the user of ElevenLabs, or the models of OpenAI, is another one. */
function isRestricted(provider: Provider, { status, text }: Answer): boolean {
  if (provider === 'openai' || provider === 'openai_live') return status === 403 && text.includes('Missing scopes');
  return provider === 'elevenlabs' && status === 401 && text.includes('"missing_permissions"');
}
