import type { CheckResult, Provider } from '@outdial/contracts';
import { EgressError, type EgressClient, type EgressScope } from '@outdial/egress';
import { systemClock, unreachable, type Clock } from '@outdial/kernel';
import { checkRequestOf, type CheckRequest } from './check-request.ts';
import type { OpenedCredential } from './credential.ts';
import { openSession, type SessionOutcome } from './open-session.ts';
import { providerAddress } from './provider-address.ts';
import { sessionRequestOf } from './session-request.ts';

export interface CheckInput {
  readonly credential: Pick<OpenedCredential, 'accountId' | 'provider' | 'baseUrl' | 'region' | 'apiKey'>;
  /** Also ask whether the provider has this model, where it lists its models. */
  readonly model?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Asks about the key alone: opens no session. */
  readonly isOfKey?: boolean;
  readonly clock?: Clock;
}

export interface CheckOutcome {
  readonly result: CheckResult;
  /** For people. Ours: a provider's text may quote the key. */
  readonly message: string;
}

const TIMEOUT_MS = 10_000;
/** Of each part of a check that opens a session, or asks about the key too. */
const PART_TIMEOUT_MS = 5_000;
/** Enough for the code of an error. A list of models is not read. */
const MAX_RESPONSE_BYTES = 4_096;

/** whisper.cpp, and others that serve one model. */
const NO_LIST = 'The server answers, and has no list of models.';

const NOT_FOR_KEY = 'The provider accepts the key, which may not use this model.';

/** Where a credential may lead: an account's to the internet, the operator's also into the operator's own network. */
export function egressScopeOf({ accountId }: Pick<OpenedCredential, 'accountId'>): EgressScope {
  return accountId === null ? 'allow_list' : 'internet';
}

/**
 * Asks the provider with one request that costs no tokens; with another one about the key alone if it refuses the model: a key may
 * have rights for some models only. Both take at most 10 s. Of a speech-to-speech model it then opens a session: that its provider
 * lists models shows nothing about those.
 * @throws EgressError `aborted` if the signal ends it; no other error
 */
export async function checkCredential(
  egress: Pick<EgressClient, 'request' | 'connect'>,
  input: CheckInput,
): Promise<CheckOutcome> {
  const outcome = await askOnce(egress, input, input.model === undefined ? TIMEOUT_MS : PART_TIMEOUT_MS);
  if (outcome.result !== 'rejected' || input.model === undefined) return outcome;
  const ofKey = await askOnce(egress, { ...input, model: undefined, isOfKey: true }, PART_TIMEOUT_MS);
  return ofKey.result === 'ok' ? { result: 'no_such_model', message: NOT_FOR_KEY } : ofKey;
}

async function askOnce(
  egress: Pick<EgressClient, 'request' | 'connect'>,
  { credential, model, signal, isOfKey = false, clock = systemClock }: CheckInput,
  requestMs: number,
): Promise<CheckOutcome> {
  const { provider, apiKey } = credential;
  const address = providerAddress(credential);
  if (address === null) return { result: 'unreachable', message: 'The credential has no address for this provider.' };
  const session = isOfKey ? null : sessionRequestOf({ provider, address, apiKey, model });
  // A session shows more about its model than a list does, and not every list has it.
  const request = checkRequestOf(provider, apiKey, session === null ? model : undefined);
  const scope = egressScopeOf(credential);
  try {
    const { status, body } = await egress.request({
      scope,
      method: 'GET',
      url: `${address}${request.path}`,
      headers: { ...request.headers, Accept: 'application/json' },
      timeoutMs: session === null ? requestMs : PART_TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      ...(signal === undefined ? {} : { signal }),
    });
    const found = outcomeOf(provider, request, { status, text: body.toString('utf8') });
    if (session === null || found.result !== 'ok') return found;
    return outcomeOfSession(await openSession(egress, session, { scope, timeoutMs: PART_TIMEOUT_MS, clock, signal }));
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

function outcomeOfSession(outcome: SessionOutcome): CheckOutcome {
  switch (outcome) {
    case 'accepted':
      return { result: 'ok', message: 'The provider accepts the key, and opened a session.' };
    case 'refused':
      return {
        result: 'no_such_model',
        message: 'The provider accepts the key, and refuses a session with this model.',
      };
    case 'unreachable':
      return {
        result: 'unreachable',
        message: 'The provider accepts the key, and opened no session. Try again later.',
      };
    default:
      return unreachable(outcome);
  }
}

/** Google and xAI answer an invalid key with 400. */
function isRejected(provider: Provider, { status, text }: Answer): boolean {
  if (status !== 400) return false;
  if (provider === 'xai') return text.includes('Incorrect API key');
  return provider === 'google' && text.includes('API_KEY_INVALID');
}

/**
 * A valid key may have the rights of calls alone: to read the user of ElevenLabs, the projects of Deepgram, or the models of
 * OpenAI, is another one.
 */
function isRestricted(provider: Provider, { status, text }: Answer): boolean {
  if (provider === 'deepgram') return status === 403 && text.includes('INSUFFICIENT_PERMISSIONS');
  if (provider === 'openai' || provider === 'openai_live') return status === 403 && text.includes('Missing scopes');
  return provider === 'elevenlabs' && status === 401 && text.includes('"missing_permissions"');
}
