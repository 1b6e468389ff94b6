import type { Address } from '../../http/endpoints.ts';
import { isSimulatedKey, type Refusal } from '../../http/refusal.ts';
import type { SimulatedDialect } from './dialect.ts';
import { modelRefusal, openAi } from './openai.ts';

const REJECTED: Refusal = {
  status: 401,
  body: {
    error: {
      code: '401',
      message: 'Access denied due to invalid subscription key or wrong API endpoint.',
    },
  },
};

/** Its keys have their own header: a bearer token is one of Entra. Versions are parameters of another path. */
export function azureAccess({ headers, url }: Address, model: string | null): Refusal | null {
  const key = headers['api-key'];
  if (typeof key !== 'string' || !isSimulatedKey(key)) return REJECTED;
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'model');
  if (unknown !== undefined) {
    const error = { code: 'BadRequest', message: `Unsupported query parameter: ${unknown}` };
    return { status: 400, body: { error } };
  }
  return modelRefusal(model, REJECTED);
}

/** `/openai/v1/realtime` of a resource. */
export const azure: SimulatedDialect = {
  ...openAi,
  provider: 'azure',
  path: /^\/openai\/v1\/realtime$/,
  access: azureAccess,
};
