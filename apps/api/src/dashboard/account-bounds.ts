import { unreachable } from '@outdial/kernel';
import { AccountBoundReached, type BoundedThing } from '@outdial/persistence';
import { ApiFault } from '../http/fault.ts';

/** Answers with a refusal if the account has as many as it may. @throws ApiFault `rate_limited` */
export async function withinBounds<Value>(creating: Promise<Value>): Promise<Value> {
  try {
    return await creating;
  } catch (error) {
    throw error instanceof AccountBoundReached ? tooMany(error) : error;
  }
}

function tooMany({ thing, max }: AccountBoundReached): ApiFault {
  return new ApiFault({
    code: 'rate_limited',
    publicMessage: adviceOf(thing, max),
    details: { scope: 'account', thing, max },
  });
}

function adviceOf(thing: BoundedThing, max: number): string {
  switch (thing) {
    case 'api_keys':
      return `The account has ${max} API keys, as many as it may, those created in the last 24 hours among them. Revoke keys that nobody uses, or ask the operator for more.`;
    case 'agents':
      return `The account has ${max} agents, as many as it may. Change one of them, or ask the operator for more.`;
    case 'invitations':
      return `The account has ${max} open invitations, as many as it may. Withdraw one, or wait until one is accepted.`;
    default:
      return unreachable(thing);
  }
}
