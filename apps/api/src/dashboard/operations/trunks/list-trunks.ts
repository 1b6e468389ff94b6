import { operatedTrunkListSchema } from '@outdial/contracts';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../../http/define-route.ts';
import { administrationOf, type OperationsDeps } from '../operations-deps.ts';
import { presentOperatedTrunk } from './present-trunk.ts';

const contract = defineDashboardContract({
  access: 'operator',
  method: 'GET',
  path: '/api/dashboard/operations/trunks',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: operatedTrunkListSchema },
  errors: [],
});

export function listTrunksRoute(deps: OperationsDeps): Route {
  return defineDashboardRoute(contract, async ({ principal }) => {
    const { trunks, trunkTests, workers } = administrationOf(deps, principal);
    const [found, tests, inUse, running] = await Promise.all([
      trunks.list(),
      trunkTests.list(),
      deps.operationsReader.channelsInUse(),
      workers.list(),
    ]);
    const testOf = new Map(tests.map((test) => [test.trunk, test]));
    return {
      status: 200,
      body: {
        trunks: found.map((trunk) =>
          presentOperatedTrunk({ trunk, inUse: inUse.get(trunk.name) ?? 0, test: testOf.get(trunk.name) }),
        ),
        can_set_passwords: deps.secretKey !== null,
        workers: running.filter(({ state }) => state !== 'silent').length,
      },
    };
  });
}
