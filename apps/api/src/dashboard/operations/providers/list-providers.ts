import type { OpenBreaker } from '@outdial/calls';
import { operatedProvidersSchema, type AccountId, type OperatedProvidersBody } from '@outdial/contracts';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../../http/define-route.ts';
import type { OperationsDeps } from '../operations-deps.ts';
import { MOST_ACCOUNT_BREAKERS, MOST_CREDENTIALS, presentProviders } from './present-providers.ts';

const contract = defineDashboardContract({
  access: 'operator',
  method: 'GET',
  path: '/api/dashboard/operations/providers',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: operatedProvidersSchema },
  errors: [],
});

export function listProvidersRoute(deps: OperationsDeps): Route {
  return defineDashboardRoute(contract, async () => ({ status: 200, body: await readProviders(deps) }));
}

type ProviderDeps = Pick<OperationsDeps, 'operationsReader' | 'breakers' | 'lineReader'>;

/** Two statements and two scripts, however many credentials there are. */
export async function readProviders({
  operationsReader,
  breakers,
  lineReader,
}: ProviderDeps): Promise<OperatedProvidersBody> {
  const [found, open] = await Promise.all([
    operationsReader.credentials(MOST_CREDENTIALS),
    // While Redis is away the page shows the rest: that is when operators look at it.
    breakers.open().catch(() => null),
  ]);
  const ofAccounts = open && ofAccountsIn(open);
  const shown = ofAccounts && ofAccounts.slice(0, MOST_ACCOUNT_BREAKERS);
  const names = [...new Set(found.credentials.flatMap(({ lines }) => lines.map(({ name }) => name)))];
  const credentialIds = found.credentials.map(({ id }) => id);
  const [lines, accountNames] = await Promise.all([
    lineReader.read({ lines: names, credentialIds }).catch(() => null),
    operationsReader.accountNames([...new Set((shown ?? []).map(({ owner }) => owner))]),
  ]);
  return presentProviders({
    ...found,
    ofAll: open && open.filter(({ owner }) => owner === null),
    ofAccounts: shown,
    moreOfAccounts: (ofAccounts?.length ?? 0) - (shown?.length ?? 0),
    accountNames,
    inUse: new Map(names.map((name, index) => [name, lines?.inUse[index] ?? null])),
    lowered: lines?.lowered ?? [],
  });
}

/** Those that opened last first. */
function ofAccountsIn(open: readonly OpenBreaker[]): readonly (OpenBreaker & { readonly owner: AccountId })[] {
  const owned = open.flatMap((one) => (one.owner === null ? [] : [{ ...one, owner: one.owner }]));
  return owned.toSorted((a, b) => b.sinceMs - a.sinceMs);
}
