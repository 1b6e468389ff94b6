import type { AccountOverview, CallReader } from '@outdial/calls';
import { micros, microsToDecimal, type AccountBody } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { getAccountContract } from './contract.ts';

export function getAccountRoute({ reader }: { readonly reader: Pick<CallReader, 'overview'> }): AccountRoute {
  return defineRoute(getAccountContract, async ({ principal }) => {
    const overview = await reader.overview(principal.account.id);
    invariant(overview !== null, 'the account of a key exists');
    return { status: 200, body: { account: presentAccount(overview) } };
  });
}

function presentAccount(overview: AccountOverview): AccountBody {
  const { balanceMicros, heldMicros } = overview;
  return {
    id: overview.id,
    name: overview.name,
    wallet: {
      balance: microsToDecimal(balanceMicros),
      held: microsToDecimal(heldMicros),
      available: microsToDecimal(micros(balanceMicros - heldMicros)),
      currency: overview.currency,
    },
    capacity: { limit: overview.capacity, in_use: overview.openCalls },
  };
}
