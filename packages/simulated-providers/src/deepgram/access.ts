import { faultOf, type Fault } from '../faults.ts';
import type { Address } from '../http/endpoints.ts';
import { isSimulatedKey, type Refusal } from '../http/refusal.ts';

const invalid = (message: string): Refusal => ({ status: 400, body: { err_code: 'Bad Request', err_msg: message } });

export function mayUse({ headers }: Address): Refusal | null {
  if (isSimulatedKey((headers.authorization ?? '').replace(/^(?:Token|Bearer) /i, ''))) return null;
  return { status: 401, body: { err_code: 'INVALID_AUTH', err_msg: 'Invalid credentials.' } };
}

/** Checks a stream's address as strictly as the real one: every parameter is known, and the model exists. */
export function streamOf(
  address: Address,
  { models, parameters }: { readonly models: RegExp; readonly parameters: readonly string[] },
): { readonly refusal: Refusal } | { readonly model: string; readonly fault: Fault | null } {
  const refusal = mayUse(address);
  if (refusal !== null) return { refusal };
  const { searchParams: query } = address.url;
  const unknown = [...query.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) return { refusal: invalid(`Unknown query parameter: ${unknown}`) };
  const model = query.get('model') ?? '';
  const fault = faultOf(model);
  if (fault?.kind === 'status') {
    const body = { err_code: fault.status === 401 ? 'INVALID_AUTH' : 'REFUSED', err_msg: `HTTP ${fault.status}` };
    return { refusal: { status: fault.status, body, ...(fault.status === 429 ? { retryAfterSeconds: 1 } : {}) } };
  }
  if (fault === null && !models.test(model)) return { refusal: invalid(`No such model: ${model}`) };
  if (query.get('encoding') !== 'mulaw') return { refusal: invalid('Unsupported encoding') };
  if (query.get('sample_rate') !== '8000') return { refusal: invalid('Unsupported sample rate') };
  return { model, fault };
}
