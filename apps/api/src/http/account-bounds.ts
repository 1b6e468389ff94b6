import { unreachable } from '@outdial/kernel';
import { AccountBoundReached, type BoundedThing } from '@outdial/persistence';
import { ApiError } from './api-error.ts';

/** Rejects the request if the account is at its limit. @throws ApiError `rate_limited`, or of endpoints `too_many_endpoints` */
export async function withinBounds<Value>(creating: Promise<Value>): Promise<Value> {
  try {
    return await creating;
  } catch (error) {
    throw error instanceof AccountBoundReached ? tooMany(error) : error;
  }
}

function tooMany({ thing, max }: AccountBoundReached): ApiError {
  if (thing === 'webhook_endpoints') {
    return new ApiError({
      code: 'too_many_endpoints',
      publicMessage: `The account has reached its limit of ${max} webhook endpoints. Delete one first.`,
      details: { max },
    });
  }
  return new ApiError({
    code: 'rate_limited',
    publicMessage: adviceOf(thing, max),
    details: { scope: 'account', thing, max },
  });
}

function adviceOf(thing: Exclude<BoundedThing, 'webhook_endpoints'>, max: number): string {
  switch (thing) {
    case 'api_keys':
      return `The account has reached its limit of ${max} API keys, including keys created in the last 24 hours. Revoke unused keys, or ask your operator for a higher limit.`;
    case 'agents':
      return `The account has reached its limit of ${max} agents. Edit an existing agent, or ask your operator for a higher limit.`;
    case 'provider_credentials':
      return `The account has reached its limit of ${max} provider credentials. Delete one, or ask your operator for a higher limit.`;
    case 'account_secrets':
      return `The account has reached its limit of ${max} secrets. Delete one, or ask your operator for a higher limit.`;
    case 'invitations':
      return `The account has reached its limit of ${max} pending invitations. Withdraw one, or wait until one is accepted.`;
    case 'webhook_listeners':
      return `The account has reached its limit of ${max} listeners. End one, or wait: a listener expires two minutes after its stream.`;
    default:
      return unreachable(thing);
  }
}
