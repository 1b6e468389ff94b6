import type { AccountOverview, CallReader, Gate } from '@outdial/calls';
import { micros, microsToDecimal, type AccountBody } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { getAccountContract } from './contract.ts';

export interface GetAccountDeps {
  readonly reader: Pick<CallReader, 'overview'>;
  readonly gate: Pick<Gate, 'accountUse'>;
}

export function getAccountRoute({ reader, gate }: GetAccountDeps): AccountRoute {
  return defineRoute(getAccountContract, async ({ principal }) => {
    const accountId = principal.account.id;
    // While Redis is away, as while the gate is closed, Postgres sums up the open calls.
    const use = await gate.accountUse(accountId).catch(() => null);
    const overview = await reader.overview(accountId, use);
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
