import { faultOf } from '../../faults.ts';
import type { Address } from '../../http/endpoints.ts';
import { isSimulatedKey, quotedKey, type Refusal } from '../../http/refusal.ts';
import { clientEventSchema } from '../client-events.ts';
import type { SimulatedDialect } from './dialect.ts';

/** An error of OpenAI's HTTP API. */
export function openAiRefusal(status: number, code: string, message: string): Refusal {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error';
  const body = { error: { message, type, param: null, code } };
  return { status, body, ...(status === 429 ? { retryAfterSeconds: 1 } : {}) };
}

/** The fault that a model of this name asks for before a connection. */
export function modelRefusal(model: string | null, rejected: Refusal): Refusal | null {
  const fault = model === null ? null : faultOf(model);
  if (fault?.kind !== 'status') return null;
  if (fault.status === 401) return rejected;
  if (fault.status === 429) return openAiRefusal(429, 'rate_limit_exceeded', 'Rate limit reached.');
  return openAiRefusal(503, 'server_error', 'The server is overloaded.');
}

/** Below it a server asks for no key, as those on one's own machines do. */
const WITHOUT_KEY = '/local/';

export function openAiAccess({ url, headers }: Address, model: string | null): Refusal | null {
  const key = (headers.authorization ?? '').replace(/^Bearer /, '');
  const rejected = openAiRefusal(401, 'invalid_api_key', `Incorrect API key provided: ${quotedKey(key)}.`);
  return isSimulatedKey(key) || url.pathname.startsWith(WITHOUT_KEY) ? modelRefusal(model, rejected) : rejected;
}

/** `/v1/realtime` */
export const openAi: SimulatedDialect = {
  provider: 'openai',
  path: /^\/v1\/realtime$/,
  access: openAiAccess,
  clientEvents: clientEventSchema,
  shape: (message) => [message],
  billedBy: 'tokens',
  leavesCancelledOpen: false,
};
